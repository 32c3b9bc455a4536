import type { Identity } from '../../store/answers.js';
import type { Writer } from '../../store/contract.js';
import type { NodeDraft } from '../../store/drafts.js';
import type { NodesByName } from './find-node.js';
import { moveEdges } from './move-edges.js';

/** A node that is about to be made. */
export interface NewNode {
  readonly type: string;
  readonly name: string;
  readonly observations: readonly string[];
}

/** The node each (type, name) has always meant; a new pair claims the stub of its name, or gets a new node. */
export async function identify(
  rows: Writer,
  specs: readonly NewNode[],
  existing: NodesByName,
  identities: readonly Identity[],
): Promise<number[]> {
  const pairKey = (pair: { type: string; name: string }) => JSON.stringify([pair.name, pair.type]);
  const known = new Map(identities.map((identity) => [pairKey(identity), identity]));
  const missing = specs
    .filter((spec) => !known.has(pairKey(spec)))
    .map(({ type, name, observations }) => {
      const stub = existing.stub(name);
      return stub === undefined
        ? { type, name, observations: observations.length }
        : { type, name, node: stub.id };
    });
  for (const identity of await rows.addIdentities(missing)) known.set(pairKey(identity), identity);
  return specs.map((spec) => (known.get(pairKey(spec)) as Identity).node);
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
