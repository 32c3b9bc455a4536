import type { Transaction } from '../engine/graph.js';
import { edgeKey } from '../model/edge.js';
import { compareText } from '../model/order.js';
import type { ProgressListener } from '../model/progress.js';
import { schemaViolation, type Violation } from '../model/violation.js';
import type { Writer } from '../store/writer.js';
import { batchEdgeKey, batchNodeKey, type IngestBatch } from './ingest-batch.js';
import type { IngestMode } from './ingest-mode.js';
import { writeEdges } from './write-edges.js';
import { ingestChunkSize, type NodeIds, writeNodes } from './write-nodes.js';

export interface LoadedCounts {
  readonly nodes: readonly TypeCount[];
  readonly edges: readonly TypeCount[];
}

interface TypeCount {
  readonly name: string;
  readonly loaded: number;
}

/** Writes all of a batch or nothing; the error names the line. */
export async function writeBatch(
  tx: Transaction,
  batch: IngestBatch,
  mode: IngestMode,
  progress?: ProgressListener,
): Promise<LoadedCounts> {
  const nodes = await writeNodes(tx.rows, batch, mode, progress);
  if (mode === 'overwrite') await removeUnlistedNodes(tx.rows, batch, nodes);
  const edges = await writeEdges(tx.rows, batch, nodes, mode, progress);
  if (mode === 'overwrite') await removeUnlistedEdges(tx.rows, batch, edges);
  const violations = await tx.rows.violations();
  if (violations.length > 0) throw schemaViolation(violations.map((violation) => withLine(batch, violation)));
  return { nodes: countByType(batch.nodes.values()), edges: countByType(batch.edges.values()) };
}

function withLine({ nodes, edges }: IngestBatch, violation: Violation): Violation {
  const { node, edge } = violation;
  const found =
    node !== undefined
      ? nodes.get(batchNodeKey(node))
      : edge !== undefined
        ? edges.get(
            batchEdgeKey({
              ...{ type: edge.type, key: edge.key },
              from: { type: undefined, name: edge.fromName },
              to: { type: undefined, name: edge.toName },
            }),
          )
        : undefined;
  return { ...violation, line: found?.line };
}

function countByType(things: Iterable<{ readonly type: string }>): TypeCount[] {
  const counts = new Map<string, number>();
  for (const { type } of things) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => compareText(a, b)).map(([name, count]) => ({ name, loaded: count }));
}

/** Removes the nodes of the batch's types that are not in the batch. */
async function removeUnlistedNodes(rows: Writer, batch: IngestBatch, kept: NodeIds): Promise<void> {
  const types = typesOf(batch.nodes.values());
  if (types.length === 0) return;
  const ids = kept.all();
  for (let page = await rows.nodes({ types, limit: ingestChunkSize }); page.length > 0; ) {
    await rows.removeNodes(page.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
    page = await rows.nodes({ types, limit: ingestChunkSize, after: page.at(-1)?.order });
  }
}

async function removeUnlistedEdges(
  rows: Writer,
  batch: IngestBatch,
  kept: ReadonlySet<string>,
): Promise<void> {
  const types = typesOf(batch.edges.values());
  if (types.length === 0) return;
  for (let page = await rows.edges({ types, limit: ingestChunkSize }); page.length > 0; ) {
    await rows.removeEdges(page.filter((edge) => !kept.has(edgeKey(edge))));
    page = await rows.edges({ types, limit: ingestChunkSize, after: page.at(-1)?.order });
  }
}

function typesOf(things: Iterable<{ readonly type: string }>): string[] {
  return [...new Set([...things].map(({ type }) => type))];
}
