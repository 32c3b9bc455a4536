import type { NodeDraft, ObservationDraft } from '../../store/drafts.js';
import type { Identity } from '../../store/read-results.js';
import type { Writer } from '../../store/writer.js';
import type { NodeSpec } from '../specs.js';
import { assignNodeIds, claimStubs } from './assign-node-ids.js';
import { NodesByName } from './nodes-by-name.js';

interface NewNodes {
  readonly fresh: readonly NodeSpec[];
  /** Existing, or repeated within the batch. */
  readonly repeated: readonly string[];
  /** What the names meant before. */
  readonly existing: NodesByName;
  put(): Promise<void>;
}

/** Nothing is stored before `put`. */
export async function findNewNodes(rows: Writer, specs: readonly NodeSpec[]): Promise<NewNodes> {
  const names = specs.map((spec) => spec.name);
  // A name that no node ever had needs no second lookup.
  const identities = await rows.identitiesNamed(names);
  const existing = identities.length === 0 ? NodesByName.from([]) : await NodesByName.load(rows, identities);
  const fresh = new Map<string, NodeSpec>();
  const repeated = new Set<string>();
  for (const spec of specs) {
    if (existing.exists({ name: spec.name }) || fresh.has(spec.name)) repeated.add(spec.name);
    else fresh.set(spec.name, spec);
  }
  const nodes = [...fresh.values()];
  return {
    fresh: nodes,
    repeated: [...repeated],
    existing,
    put: () => putNewNodes(rows, nodes, existing, identities),
  };
}

async function putNewNodes(
  rows: Writer,
  specs: readonly NodeSpec[],
  existing: NodesByName,
  identities: readonly Identity[],
): Promise<void> {
  const nodes: NodeDraft[] = [];
  const observations: ObservationDraft[] = [];
  for (const { id, spec } of await assignNodeIds(rows, specs, existing, identities)) {
    const { type, name, observations: texts, summary, tags, props, provenance = null, origin = null } = spec;
    nodes.push({
      ...{ id, type, name },
      ...(summary === undefined || summary === null ? {} : { summary, summaryUpdatedAt: rows.now }),
      ...(tags === undefined ? {} : { tags }),
      ...(props === undefined ? {} : { props }),
      provenance,
    });
    for (const text of texts) observations.push({ node: id, text, provenance: origin });
  }
  if (existing.hasStubs) await claimStubs(rows, nodes, existing);
  await rows.putNodes(nodes);
  await rows.putObservations(observations);
}
