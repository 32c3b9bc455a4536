import { checkName, checkShortText, checkText } from '../../model/text.js';
import type { Identity, NodeDraft, ObservationDraft, Writer } from '../../store/contract.js';
import type { Transaction } from '../graph.js';
import type { NodeSpec } from '../specs.js';
import { NodesByName } from './find-node.js';
import { moveEdges } from './move-edges.js';

export interface CreatedNodes {
  readonly created: readonly NodeSpec[];
  /** Names that existed already, or came earlier in the batch. */
  readonly skipped: readonly string[];
}

/** Creates nodes whose names are new to the graph; the others are left as they are and named in `skipped`. */
export async function createNodes(tx: Transaction, specs: readonly NodeSpec[]): Promise<CreatedNodes> {
  for (const spec of specs) checkSpec(spec);
  const names = specs.map((spec) => spec.name);
  // A name that no node ever had needs no second look.
  const identities = await tx.rows.identitiesNamed(names);
  const existing = await NodesByName.of(
    tx.rows,
    identities.map(({ name }) => name),
  );
  const fresh = new Map<string, NodeSpec>();
  const skipped = new Set<string>();
  for (const spec of specs) {
    if (existing.exists(spec.name) || fresh.has(spec.name)) skipped.add(spec.name);
    else fresh.set(spec.name, spec);
  }
  const created = [...fresh.values()];
  if (created.length > 0) {
    tx.announce('createNodes', { nodes: created });
    await putNew(tx.rows, created, existing, identities);
  }
  return { created, skipped: [...skipped] };
}

function checkSpec(spec: NodeSpec): void {
  checkName(spec.name, 'The name of a node');
  checkShortText(spec.type, `The type of ${JSON.stringify(spec.name)}`);
  for (const text of spec.observations) checkText(text, `An observation of ${JSON.stringify(spec.name)}`);
}

async function putNew(
  rows: Writer,
  specs: readonly NodeSpec[],
  existing: NodesByName,
  identities: readonly Identity[],
): Promise<void> {
  const ids = await identify(rows, specs, existing, identities);
  const nodes: NodeDraft[] = [];
  const observations: ObservationDraft[] = [];
  for (const [index, { type, name, observations: texts }] of specs.entries()) {
    const id = ids[index] as number;
    nodes.push({ id, type, name });
    for (const text of texts) observations.push({ node: id, text });
  }
  await claimStubs(rows, nodes, existing);
  await rows.putNodes(nodes);
  await rows.putObservations(observations);
}

/** The node each (type, name) has always meant; a new pair claims the stub of its name, or gets a new node. */
async function identify(
  rows: Writer,
  specs: readonly NodeSpec[],
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
async function claimStubs(rows: Writer, nodes: readonly NodeDraft[], existing: NodesByName): Promise<void> {
  for (const { id, name } of nodes) {
    const stub = existing.stub(name);
    if (stub !== undefined && stub.id !== id) await moveEdges(rows, stub.id, id);
  }
}
