import type { Node, NodeId } from '../../model/node.js';
import type { RowWriter } from '../../store/writer.js';
import { moveEdges } from './move-edges.js';

/** A node and the type it is to have. */
export interface RetypedNode {
  readonly node: Node;
  readonly type: string;
}

/**
 * Sees to it that each (new type, name) means the node that bears it. A new pair is given to the node as it is; one that
 * has always meant another node, which was deleted, goes on meaning that one: it takes over the edges, and the answer
 * says by old id which node it is.
 */
export async function resolveRetypedIds(
  rows: RowWriter,
  retyped: readonly RetypedNode[],
): Promise<Map<NodeId, NodeId>> {
  const others = new Map<NodeId, NodeId>();
  const changed = retyped.filter(({ node, type }) => node.type !== type);
  if (changed.length === 0) return others;
  const pair = (type: string, name: string) => JSON.stringify([name, type]);
  const known = new Map<string, NodeId>();
  for (const identity of await rows.identitiesNamed(changed.map(({ node }) => node.name))) {
    known.set(pair(identity.type, identity.name), identity.node);
  }
  await rows.addIdentities(
    changed
      .filter(({ node, type }) => !known.has(pair(type, node.name)))
      .map(({ node, type }) => ({ type, name: node.name, node: node.id })),
  );
  for (const { node, type } of changed) {
    const meant = known.get(pair(type, node.name));
    if (meant === undefined || meant === node.id) continue;
    others.set(node.id, meant);
    await moveEdges(rows, node.id, meant);
  }
  return others;
}
