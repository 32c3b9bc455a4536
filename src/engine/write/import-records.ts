import { defaultWeight, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import { checkName, checkText } from '../../model/text.js';
import type { EdgeDraft, NodeDraft } from '../../store/contract.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec, NodeSpec } from '../specs.js';
import { addObservations } from './add-observations.js';
import { createEdges } from './create-edges.js';
import { createNodes } from './create-nodes.js';
import { NodesByName } from './find-node.js';

/** A node as a file describes it, with what the string tools cannot say. */
export interface NodeRecord extends NodeSpec {
  readonly summary?: string | null;
  readonly tags?: readonly string[];
}

/** An edge as a file describes it. */
export interface EdgeRecord extends EdgeSpec {
  readonly weight?: number;
}

export interface ImportBatch {
  readonly nodes: readonly NodeRecord[];
  readonly edges: readonly EdgeRecord[];
}

export interface ImportCounts {
  readonly nodesCreated: number;
  /** Nodes that were there already and got the observations they lacked. */
  readonly nodesMerged: number;
  readonly nodesUnchanged: number;
  /** Observations that merged nodes got. */
  readonly observationsAdded: number;
  readonly edgesCreated: number;
  readonly edgesUnchanged: number;
}

/**
 * Brings in nodes and edges, and can be repeated: a node that is there keeps its type and gets the observations it
 * lacks, and a summary, tags or a weight only where it had none; an edge that is there stays as it is.
 */
export async function importRecords(tx: Transaction, { nodes, edges }: ImportBatch): Promise<ImportCounts> {
  const before = await NodesByName.of(
    tx.rows,
    nodes.map((node) => node.name),
  );
  const first = new Map<string, NodeRecord>();
  const repeated: NodeRecord[] = [];
  for (const node of nodes) {
    if (before.exists(node.name) || first.has(node.name)) repeated.push(node);
    else first.set(node.name, node);
  }
  await createNodes(tx, [...first.values()]);
  const added = await addObservations(
    tx,
    repeated.map(({ name, observations }) => ({ name, texts: observations })),
  );
  await describeNodes(tx, nodes);
  const created = await createEdges(tx, edges);
  await weighEdges(tx, created, edges);
  const merged = added.filter(({ texts }) => texts.length > 0);
  return {
    nodesCreated: first.size,
    nodesMerged: merged.length,
    nodesUnchanged: added.length - merged.length,
    observationsAdded: merged.reduce((sum, { texts }) => sum + texts.length, 0),
    edgesCreated: created.length,
    edgesUnchanged: edges.length - created.length,
  };
}

/** Throws what `importRecords` would throw for a record, so that a file can be checked before anything is written. */
export function checkNodeRecord({ name, type, observations, summary, tags = [] }: NodeRecord): void {
  checkName(name, 'The name of a node');
  checkName(type, `The type of ${JSON.stringify(name)}`);
  for (const text of observations) checkText(text, `An observation of ${JSON.stringify(name)}`);
  if (typeof summary === 'string') checkText(summary, `The summary of ${JSON.stringify(name)}`);
  for (const tag of tags) checkText(tag, `A tag of ${JSON.stringify(name)}`);
}

export function checkEdgeRecord({ from, to, type, weight = defaultWeight }: EdgeRecord): void {
  checkName(from, 'The from of a relation');
  checkName(to, 'The to of a relation');
  checkName(type, 'The type of a relation');
  if (!(weight >= 0 && weight <= 1)) {
    throw new TrellisError(
      'INVALID_ARGUMENT',
      `The weight of a relation is ${weight}; it must be between 0 and 1.`,
    );
  }
}

/** Fills in summaries and tags where there are none. */
async function describeNodes(tx: Transaction, records: readonly NodeRecord[]): Promise<void> {
  const described = records.filter(
    ({ summary, tags }) => typeof summary === 'string' || (tags?.length ?? 0) > 0,
  );
  if (described.length === 0) return;
  for (const record of described) checkNodeRecord(record);
  const found = await NodesByName.of(
    tx.rows,
    described.map((record) => record.name),
  );
  const drafts = new Map<string, NodeDraft>();
  for (const record of described) {
    const node = found.real(record.name);
    if (node === undefined || drafts.has(record.name)) continue;
    const draft = fillIn(node, record, tx.rows.now);
    if (draft !== undefined) drafts.set(record.name, draft);
  }
  await tx.rows.putNodes([...drafts.values()]);
}

function fillIn(node: Node, { summary, tags = [] }: NodeRecord, now: number): NodeDraft | undefined {
  const newSummary = node.summary === null && typeof summary === 'string';
  const newTags = node.tags.length === 0 && tags.length > 0;
  if (!newSummary && !newTags) return undefined;
  return {
    ...node,
    ...(newSummary ? { summary, summaryUpdatedAt: now } : {}),
    ...(newTags ? { tags } : {}),
  };
}

/** Gives the edges that were just made the weights the file states. */
async function weighEdges(
  tx: Transaction,
  created: readonly EdgeSpec[],
  records: readonly EdgeRecord[],
): Promise<void> {
  const triple = ({ from, type, to }: EdgeSpec) => JSON.stringify([from, type, to]);
  const weights = new Map<string, number>();
  for (const record of records) {
    checkEdgeRecord(record);
    if (!weights.has(triple(record))) weights.set(triple(record), record.weight ?? defaultWeight);
  }
  const weighted = created.filter((spec) => weights.get(triple(spec)) !== defaultWeight);
  if (weighted.length === 0) return;
  const ends = await NodesByName.of(
    tx.rows,
    weighted.flatMap(({ from, to }) => [from, to]),
  );
  const wanted = new Map<string, number>();
  const identities = weighted.flatMap((spec) => {
    const from = ends.realOrStub(spec.from);
    const to = ends.realOrStub(spec.to);
    if (from === undefined || to === undefined) return [];
    const identity = { from: from.id, to: to.id, type: spec.type, key: '' };
    wanted.set(edgeKey(identity), weights.get(triple(spec)) ?? defaultWeight);
    return [identity];
  });
  const drafts: EdgeDraft[] = (await tx.rows.edgesByIdentity(identities)).map((edge) => ({
    ...edge,
    weight: wanted.get(edgeKey(edge)) ?? edge.weight,
  }));
  await tx.rows.putEdges(drafts);
}
