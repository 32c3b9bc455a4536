import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { NodeDraft } from '../../store/drafts.js';
import type { Identity } from '../../store/read-results.js';
import type { Writer } from '../../store/writer.js';
import { moveEdges } from './move-edges.js';
import type { NodesByName } from './nodes-by-name.js';

/** A node that is about to be made. */
export interface NewNode {
  readonly type: string;
  readonly name: string;
  readonly observations: readonly string[];
}

/** One of them, and which node it is. */
export interface IdentifiedNode<N extends NewNode> {
  readonly id: NodeId;
  readonly spec: N;
}

/**
 * The node each (type, name) has always meant; a new pair claims the stub of its name, or gets a new node. Answers them in
 * the order given.
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

/** Every name that was asked for has got a node; one that has not is a defect of the store. */
export function missingNodeId(name: string): never {
  throw new TrellisError('INTERNAL', `The store gave ${JSON.stringify(name)} no node.`);
}

/** A node that turns out to be another one than the stub of its name takes over the stub's edges. */
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
