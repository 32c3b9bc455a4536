import { checkName, checkShortText, checkText } from '../../model/text.js';
import type { Identity, NodeDraft, ObservationDraft, Writer } from '../../store/contract.js';
import type { Transaction } from '../graph.js';
import type { NodeSpec } from '../specs.js';
import { NodesByName } from './find-node.js';
import { claimStubs, identify } from './identify.js';

export interface CreatedNodes {
  readonly created: readonly NodeSpec[];
  /** Names that existed already, or came earlier in the batch. */
  readonly skipped: readonly string[];
}

/** Creates nodes whose names are new to the graph; the others are left as they are and named in `skipped`. */
export async function createNodes(tx: Transaction, specs: readonly NodeSpec[]): Promise<CreatedNodes> {
  for (const spec of specs) checkSpec(spec);
  const names = specs.map((spec) => spec.name);
  const [existing, identities] = await Promise.all([
    NodesByName.of(tx.rows, names),
    tx.rows.identitiesNamed(names),
  ]);
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
