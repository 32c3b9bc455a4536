import type { Node, NodeId } from '../../model/node.js';
import type { RowWriter } from '../../store/writer.js';
import { moveEdges } from './move-edges.js';

export interface RetypedNode {
  readonly node: Node;
  readonly type: string;
}

/**
 * Makes each (new type, name) mean its node. A new pair is assigned to the node; a pair that has always meant another,
 * deleted node keeps meaning that one, which takes over the edges. Returns those by old id.
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
