import type { Edge } from '../../model/edge.js';
import type { Reader } from '../../store/reader.js';
import { requireNodes } from '../require-nodes.js';
import type { NodeName } from '../specs.js';
import { decodeOffsetCursor, encodeOffsetCursor } from './cursors.js';
import type { ListPage, ListRequest } from './list-nodes.js';
import { paginate } from './page.js';

const list = 'get_relations_between';

/** In both directions, in creation order; for one node, its edges to itself. */
export async function edgesBetween(
  reader: Reader,
  [a, b]: readonly [NodeName, NodeName],
  { limit, cursor }: ListRequest,
): Promise<ListPage<Edge>> {
  const offset = decodeOffsetCursor(list, cursor);
  const ofA = (await requireNodes(reader, a)).map(({ id }) => id);
  const ofB = (await requireNodes(reader, b)).map(({ id }) => id);
  const edges = await reader.edgesBetween([...new Set([...ofA, ...ofB])]);
  const between = edges.filter(
    ({ from, to }) => (ofA.includes(from) && ofB.includes(to)) || (ofB.includes(from) && ofA.includes(to)),
  );
  const { page, more } = paginate(between.slice(offset), limit);
  return { items: page, ...(more ? { nextCursor: encodeOffsetCursor(list, offset + limit) } : {}) };
}
