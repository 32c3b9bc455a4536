import type { NodeId } from '../model/node.js';
import type { CountedIdentity } from '../store/read-results.js';
import type { Writer } from '../store/writer.js';

/** Target ids by source ids. */
export type NodeIdMap = ReadonlyMap<NodeId, NodeId>;

/**
 * Finds or creates the target's nodes: a (type, name) means the same node in both stores. All identities of a node are
 * mapped at once, so that a renamed node stays one node and keeps its count of ordinals.
 */
export async function mapNodeIds(writer: Writer, identities: readonly CountedIdentity[]): Promise<NodeIdMap> {
  const known = new Map<string, NodeId>();
  const names = new Set(identities.map(({ name }) => name));
  for (const identity of await writer.identitiesNamed([...names]))
    known.set(identityKey(identity), identity.node);
  const nodes = new Map<NodeId, NodeId>();
  for (const identity of identities) {
    const node = known.get(identityKey(identity));
    if (node !== undefined) nodes.set(identity.node, node);
  }
  const missing = identities.filter((identity) => !known.has(identityKey(identity)));
  const firsts = new Map<NodeId, CountedIdentity>();
  for (const identity of missing)
    if (!nodes.has(identity.node) && !firsts.has(identity.node)) firsts.set(identity.node, identity);
  const made = await writer.addIdentities(
    [...firsts.values()].map(({ type, name, nextOrdinal }) => ({
      type,
      name,
      observations: nextOrdinal - 1,
    })),
  );
  for (const [index, source] of [...firsts.keys()].entries()) {
    const identity = made[index];
    if (identity !== undefined) nodes.set(source, identity.node);
  }
  await writer.addIdentities(
    missing.flatMap((identity) => {
      const { type, name, node } = identity;
      const target = nodes.get(node);
      return firsts.get(node) === identity || target === undefined ? [] : [{ type, name, node: target }];
    }),
  );
  return nodes;
}

function identityKey({ type, name }: { readonly type: string; readonly name: string }): string {
  return JSON.stringify([type, name]);
}
