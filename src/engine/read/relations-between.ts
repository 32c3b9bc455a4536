import type { Edge } from '../../model/edge.js';
import type { Reader } from '../../store/reader.js';
import { nodesCalled } from '../find-nodes.js';
import type { NodeName } from '../specs.js';
import type { Listed, ListRequest } from './list-nodes.js';
import { decodeOffset, encodeOffset } from './offset-cursor.js';
import { cutPage } from './page.js';

const list = 'get_relations_between';

/** The edges between two nodes, in both directions, in creation order; of a node and itself, its edges to itself. */
export async function relationsBetween(
  reader: Reader,
  [a, b]: readonly [NodeName, NodeName],
  { limit, cursor }: ListRequest,
): Promise<Listed<Edge>> {
  const offset = decodeOffset(list, cursor);
  const ofA = (await nodesCalled(reader, a)).map(({ id }) => id);
  const ofB = (await nodesCalled(reader, b)).map(({ id }) => id);
  const edges = await reader.edgesBetween([...new Set([...ofA, ...ofB])]);
  const between = edges.filter(
    ({ from, to }) => (ofA.includes(from) && ofB.includes(to)) || (ofB.includes(from) && ofA.includes(to)),
  );
  const { page, more } = cutPage(between.slice(offset), limit);
  return { items: page, ...(more ? { nextCursor: encodeOffset(list, offset + limit) } : {}) };
}
