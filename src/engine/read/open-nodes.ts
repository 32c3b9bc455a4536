import type { Node } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import { isOfType, matchesName, type NodeName, type NodeWithFacts, type Subgraph } from '../specs.js';
import { decodeOrderCursor, encodeOrderCursor } from './cursors.js';
import { joinFacts, withFacts } from './facts.js';
import { type PageRequest, paginate } from './page.js';

export const openList = 'open_nodes';

export interface OpenRequest extends Pick<PageRequest, 'limit' | 'cursor'> {
  readonly type?: string | undefined;
}

/** Nodes by exact name, in creation order, with every edge that touches them. Skips unknown names. */
export async function openNodes(
  reader: Reader,
  names: readonly string[],
  request: OpenRequest = {},
): Promise<Subgraph> {
  const asked = [...new Set(names)];
  const { limit, cursor, type } = request;
  if (cursor === undefined && asked.length <= (limit ?? Infinity)) {
    const all = await openAll(reader, asked, type);
    if (all.nodes.length <= (limit ?? Infinity)) return all;
  }
  const { page, ...next } = openPage(reader, await reader.nodesNamed(asked), request);
  return {
    nodes: await withFacts(reader, page),
    edges: await reader.edgesOf(page.map(({ id }) => id)),
    ...next,
  };
}

export function openPage(
  reader: Reader,
  named: readonly Node[],
  { limit, cursor, type }: OpenRequest,
): { readonly page: readonly Node[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : decodeOrderCursor(openList, cursor, reader);
  const left = named.filter(
    (node) =>
      !node.stub && isOfType(node, type) && (after === undefined || compareOrder(node.order, after) > 0),
  );
  const { page, more } = paginate(left, limit);
  const last = page.at(-1);
  return { page, ...(more && last ? { nextCursor: encodeOrderCursor(openList, last.order, reader) } : {}) };
}

/** All by name, so that no query waits for the ids another finds. */
async function openAll(
  reader: Reader,
  names: readonly string[],
  type: string | undefined,
): Promise<Subgraph> {
  const [named, observations, edges] = await Promise.all([
    reader.nodesNamed(names),
    reader.observationsNamed(names),
    reader.edgesNamed(names),
  ]);
  const nodes = named.filter((node) => !node.stub && isOfType(node, type));
  const ids = new Set(nodes.map((node) => node.id));
  return {
    nodes: await joinFacts(nodes, observations),
    edges: edges.filter((edge) => ids.has(edge.from) || ids.has(edge.to)),
  };
}

/** Nodes by exact name, without edges. Skips unknown names. */
export async function readNodesByName(reader: Reader, names: readonly NodeName[]): Promise<NodeWithFacts[]> {
  const asked = [...new Set(names.map(({ name }) => name))];
  const [nodes, observations] = await Promise.all([
    reader.nodesNamed(asked),
    reader.observationsNamed(asked),
  ]);
  return joinFacts(
    nodes.filter((node) => !node.stub && names.some((name) => matchesName(name, node))),
    observations,
  );
}
