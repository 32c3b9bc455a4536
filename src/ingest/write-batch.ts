import { NumberSet } from '../bounds/number-set.js';
import type { Transaction } from '../engine/graph.js';
import { removeStubsAmong } from '../engine/write/remove-unreferenced-stubs.js';
import { type Edge, edgeKey } from '../model/edge.js';
import { TrellisError } from '../model/error.js';
import { compareText } from '../model/order.js';
import type { ProgressListener } from '../model/progress.js';
import { schemaViolation, type Violation } from '../model/violation.js';
import type { Writer } from '../store/writer.js';
import { batchEdgeKey, batchNodeKey, type IngestBatch } from './ingest-batch.js';
import type { IngestMode } from './ingest-mode.js';
import { writeEdges } from './write-edges.js';
import { ingestChunkSize, type NodeIds, writeNodes } from './write-nodes.js';

export interface LoadedCounts {
  readonly nodes: readonly LoadedCount[];
  readonly edges: readonly LoadedCount[];
  /** What the mode overwrite removed, with the edges of removed nodes. */
  readonly removed?: RemovedCounts;
}

interface LoadedCount {
  readonly name: string;
  readonly loaded: number;
}

interface RemovedCount {
  readonly name: string;
  readonly removed: number;
}

interface RemovedCounts {
  readonly nodes: readonly RemovedCount[];
  readonly edges: readonly RemovedCount[];
}

export interface WriteBatchOptions {
  readonly mode: IngestMode;
  /** Whether overwrite may remove edges of types that the batch does not have, with their nodes. */
  readonly cascade?: boolean | undefined;
  readonly progress?: ProgressListener | undefined;
}

/** Writes all of a batch or nothing; the error names the line. */
export async function writeBatch(
  tx: Transaction,
  batch: IngestBatch,
  { mode, cascade = false, progress }: WriteBatchOptions,
): Promise<LoadedCounts> {
  const { rows } = tx;
  const removed: Removed = { nodes: new Map(), edges: new Map(), ends: new NumberSet() };
  const nodes = await writeNodes(rows, batch, mode, progress);
  if (mode === 'overwrite') {
    await removeUnlistedNodes(rows, batch, nodes, removed);
    if (!cascade) refuseOtherEdges(batch, removed.edges);
  }
  const edges = await writeEdges(rows, batch, nodes, mode, progress);
  if (mode === 'overwrite') {
    await removeUnlistedEdges(rows, batch, edges, removed);
    await removeStubsAmong(rows, removed.ends);
  }
  const violations = await rows.violations();
  if (violations.length > 0) throw schemaViolation(violations.map((violation) => withLine(batch, violation)));
  return {
    nodes: loadedCounts(batch.nodes.countByType),
    edges: loadedCounts(batch.edges.countByType),
    ...(mode === 'overwrite'
      ? { removed: { nodes: removedCounts(removed.nodes), edges: removedCounts(removed.edges) } }
      : {}),
  };
}

/** A batch of nodes says nothing about edges of types it does not have, so they must not go unnoticed. */
function refuseOtherEdges(batch: IngestBatch, removed: ReadonlyMap<string, number>): void {
  const types = batch.edges.countByType;
  const others = removedCounts([...removed].filter(([type]) => !types.has(type)));
  if (others.length === 0) return;
  const counted = others.map(({ name, removed: count }) => `${name} (${count})`).join(', ');
  const hint =
    'Nothing was written. Add the lines of these edges to the batch, or remove them too with cascade.';
  throw new TrellisError(
    'CONFIRMATION_NEEDED',
    `The nodes that are not in the batch have edges of types that are not in it either: ${counted}.`,
    {
      hint,
      details: { edges: others },
      withoutRead: { message: 'Overwriting would remove edges of types that are not in the batch.', hint },
    },
  );
}

function withLine({ nodes, edges }: IngestBatch, violation: Violation): Violation {
  const { node, edge } = violation;
  const found =
    node !== undefined
      ? nodes.find(batchNodeKey(node))
      : edge !== undefined
        ? edges.find(
            batchEdgeKey({
              ...{ type: edge.type, key: edge.key },
              from: { type: undefined, name: edge.fromName },
              to: { type: undefined, name: edge.toName },
            }),
          )
        : undefined;
  return { ...violation, line: found?.line };
}

/** What the mode overwrite has removed, by type. */
interface Removed {
  readonly nodes: Map<string, number>;
  readonly edges: Map<string, number>;
  /** The ends of removed edges: a stub goes with its last edge. */
  readonly ends: NumberSet;
}

function countRemovedEdges({ edges, ends }: Removed, some: readonly Edge[]): void {
  countByType(some, edges);
  for (const { from, to } of some) {
    ends.add(from);
    ends.add(to);
  }
}

function countByType(things: Iterable<{ readonly type: string }>, counts: Map<string, number>): void {
  for (const { type } of things) counts.set(type, (counts.get(type) ?? 0) + 1);
}

function loadedCounts(counts: ReadonlyMap<string, number>): LoadedCount[] {
  return sortedByType(counts).map(([name, loaded]) => ({ name, loaded }));
}

function removedCounts(counts: Iterable<readonly [type: string, count: number]>): RemovedCount[] {
  return sortedByType(counts).map(([name, removed]) => ({ name, removed }));
}

function sortedByType(counts: Iterable<readonly [type: string, count: number]>) {
  return [...counts].sort(([a], [b]) => compareText(a, b));
}

/** Removes the nodes of the batch's types that are not in the batch. */
async function removeUnlistedNodes(
  rows: Writer,
  batch: IngestBatch,
  kept: NodeIds,
  removed: Removed,
): Promise<void> {
  const types = [...batch.nodes.countByType.keys()];
  if (types.length === 0) return;
  const ids = kept.all;
  for (let page = await rows.nodes({ types, limit: ingestChunkSize }); page.length > 0; ) {
    const unlisted = page.filter(({ id }) => !ids.has(id));
    countByType(unlisted, removed.nodes);
    countRemovedEdges(removed, await rows.removeNodes(unlisted.map(({ id }) => id)));
    page = await rows.nodes({ types, limit: ingestChunkSize, after: page.at(-1)?.order });
  }
}

async function removeUnlistedEdges(
  rows: Writer,
  batch: IngestBatch,
  kept: ReadonlySet<string>,
  removed: Removed,
): Promise<void> {
  const types = [...batch.edges.countByType.keys()];
  if (types.length === 0) return;
  for (let page = await rows.edges({ types, limit: ingestChunkSize }); page.length > 0; ) {
    const unlisted = page.filter((edge) => !kept.has(edgeKey(edge)));
    countRemovedEdges(removed, unlisted);
    await rows.removeEdges(unlisted);
    page = await rows.edges({ types, limit: ingestChunkSize, after: page.at(-1)?.order });
  }
}
