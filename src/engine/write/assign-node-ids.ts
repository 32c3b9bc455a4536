import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { NodeDraft } from '../../store/drafts.js';
import type { Identity } from '../../store/read-results.js';
import type { Writer } from '../../store/writer.js';
import { moveEdges } from './move-edges.js';
import type { NodesByName } from './nodes-by-name.js';

export interface NewNode {
  readonly type: string;
  readonly name: string;
  readonly observations: readonly string[];
}

export interface IdentifiedNode<N extends NewNode> {
  readonly id: NodeId;
  readonly spec: N;
}

/**
 * The node each (type, name) has always meant; a new pair claims the stub of its name, or gets a new id. In the order
 * given.
 */
export async function assignNodeIds<N extends NewNode>(
  rows: Writer,
  specs: readonly N[],
  existing: NodesByName,
  identities: readonly Identity[],
): Promise<IdentifiedNode<N>[]> {
  const pairKey = (pair: { type: string; name: string }) => JSON.stringify([pair.name, pair.type]);
  const known = new Map(identities.map((identity) => [pairKey(identity), identity.node]));
  const missing = specs
    .filter((spec) => !known.has(pairKey(spec)))
    .map(({ type, name, observations }) => {
      const stub = existing.stub(name);
      return stub === undefined
        ? { type, name, observations: observations.length }
        : { type, name, node: stub.id };
    });
  for (const identity of await rows.addIdentities(missing)) known.set(pairKey(identity), identity.node);
  return specs.map((spec) => ({ id: known.get(pairKey(spec)) ?? missingNodeId(spec.name), spec }));
}

/** A missing id is a bug in the store. */
export function missingNodeId(name: string): never {
  throw new TrellisError('INTERNAL', `The store gave ${JSON.stringify(name)} no node.`);
}

/** A node whose id differs from the stub of its name takes over the stub's edges. */
export async function claimStubs(
  rows: Writer,
  nodes: readonly NodeDraft[],
  existing: NodesByName,
): Promise<void> {
  for (const { id, name } of nodes) {
    const stub = existing.stub(name);
    if (stub !== undefined && stub.id !== id) await moveEdges(rows, stub.id, id);
  }
}
