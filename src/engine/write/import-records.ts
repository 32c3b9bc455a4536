import { defaultWeight } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Props } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import { findStampCollision, type Provenance } from '../../model/provenance.js';
import { checkShortText, checkText } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec, NodeSpec } from '../specs.js';
import { addObservationsStrictUnchecked } from './add-observations-strict.js';
import { createEdgesWithStubsUnchecked } from './create-edges-with-stubs.js';
import { createNodesLenientUnchecked } from './create-nodes-lenient.js';
import { NodesByName } from './nodes-by-name.js';

export interface EdgeImportRecord extends EdgeSpec {
  readonly props?: Props;
  readonly provenance?: Provenance | null;
}

export interface ImportBatch {
  readonly nodes: readonly NodeSpec[];
  readonly edges: readonly EdgeImportRecord[];
}

export interface ImportCounts {
  readonly nodesCreated: number;
  /** Existing nodes that were completed. */
  readonly nodesMerged: number;
  readonly nodesUnchanged: number;
  /** To merged nodes. */
  readonly observationsAdded: number;
  readonly edgesCreated: number;
  readonly edgesUnchanged: number;
}

/**
 * Can be repeated: an existing node keeps what it has and gets the observations, summary, tags, properties and
 * provenance it lacks; an existing edge stays as it is.
 */
export async function importRecords(tx: Transaction, { nodes, edges }: ImportBatch): Promise<ImportCounts> {
  nodes.forEach(checkNodeRecord);
  edges.forEach(checkEdgeRecord);
  const before = await NodesByName.load(tx.rows, nodes);
  const fresh = new Map<string, NodeSpec>();
  const repeated: NodeSpec[] = [];
  for (const node of nodes) {
    if (before.exists({ name: node.name }) || fresh.has(node.name)) repeated.push(node);
    else fresh.set(node.name, { ...node, provenance: node.provenance ?? originOf(node) });
  }
  await createNodesLenientUnchecked(tx, [...fresh.values()]);
  const added = await addObservationsStrictUnchecked(
    tx,
    repeated.map(({ name, observations, origin }) => ({ name, texts: observations, origin })),
  );
  const described = await fillInNodes(tx, nodes);
  const created = await createEdgesWithStubsUnchecked(tx, edges, ({ props = {}, provenance = null }) => ({
    props,
    provenance,
  }));
  const merged = added.filter(
    ({ name, texts }) => texts.length > 0 || (described.has(name) && before.exists({ name })),
  );
  return {
    nodesCreated: fresh.size,
    nodesMerged: merged.length,
    nodesUnchanged: added.length - merged.length,
    observationsAdded: added.reduce((sum, { texts }) => sum + texts.length, 0),
    edgesCreated: created.length,
    edgesUnchanged: edges.length - created.length,
  };
}

/** Throws what `importRecords` would throw, so that a file can be checked before anything is written. */
export function checkNodeRecord({ name, type, observations, summary, tags = [] }: NodeSpec): void {
  checkShortText(name, 'The name of a node');
  checkShortText(type, `The type of ${JSON.stringify(name)}`);
  for (const text of observations) checkText(text, `An observation of ${JSON.stringify(name)}`);
  if (typeof summary === 'string') checkText(summary, `The summary of ${JSON.stringify(name)}`);
  for (const tag of tags) checkText(tag, `A tag of ${JSON.stringify(name)}`);
}

export function checkEdgeRecord({
  from,
  to,
  type,
  weight = defaultWeight,
  key = '',
}: EdgeImportRecord): void {
  checkShortText(from, 'The from of a relation');
  checkShortText(to, 'The to of a relation');
  checkShortText(type, 'The type of a relation');
  if (!(weight >= 0 && weight <= 1)) {
    throw new TrellisError(
      'INVALID_ARGUMENT',
      `The weight of a relation is ${weight}; it must be between 0 and 1.`,
    );
  }
  checkShortText(key, 'The key of a relation');
}

/** Adds everything but observations; returns the names of changed nodes. */
async function fillInNodes(tx: Transaction, records: readonly NodeSpec[]): Promise<ReadonlySet<string>> {
  const described = records.filter(
    ({ summary, tags = [], props = {}, provenance = null }) =>
      typeof summary === 'string' || tags.length > 0 || Object.keys(props).length > 0 || provenance !== null,
  );
  const found = await NodesByName.load(tx.rows, described);
  const drafts = new Map<string, Node>();
  for (const record of described) {
    const node = drafts.get(record.name) ?? found.real({ name: record.name });
    const filled = node === undefined ? undefined : fillIn(node, record, tx.rows.now);
    if (filled !== undefined) drafts.set(record.name, filled);
  }
  await tx.rows.putNodes([...drafts.values()]);
  return new Set(drafts.keys());
}

/** Undefined if it lacks nothing. */
function fillIn(
  node: Node,
  { summary, tags = [], props = {}, provenance = null, origin }: NodeSpec,
  now: number,
): Node | undefined {
  const newSummary = node.summary === null && typeof summary === 'string';
  const newTags = node.tags.length === 0 && tags.length > 0;
  const newProps = Object.keys(props).filter((key) => !Object.hasOwn(node.props, key));
  const newProvenance = node.provenance === null && provenance !== null;
  if (!newSummary && !newTags && newProps.length === 0 && !newProvenance) return undefined;
  return {
    ...node,
    ...(newSummary ? { summary, summaryUpdatedAt: now } : {}),
    ...(newTags ? { tags } : {}),
    ...(newProps.length > 0 ? { props: { ...props, ...node.props } } : {}),
    ...(newProvenance ? { provenance } : {}),
    ...(origin === undefined || newProps.length === 0 || node.provenance?.source === origin.source
      ? {}
      : {
          provenance: {
            ...node.provenance,
            properties: { ...node.provenance?.properties, ...propertiesFrom(newProps, origin) },
          },
        }),
  };
}

/** Where the properties with these keys come from. */
function propertiesFrom(keys: readonly string[], origin: Provenance): Record<string, Provenance> {
  return Object.fromEntries(keys.map((key) => [key, origin]));
}

/** A property named like a stamped field would hide behind the stamp, so such a node has it on its properties. */
function originOf({ props = {}, origin }: NodeSpec): Provenance | null {
  if (origin === undefined || findStampCollision(props, origin) === undefined) return origin ?? null;
  return { properties: propertiesFrom(Object.keys(props), origin) };
}
