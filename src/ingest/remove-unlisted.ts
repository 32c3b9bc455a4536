import { edgeKey } from '../model/edge.js';
import type { Writer } from '../store/writer.js';
import type { IngestBatch } from './ingest-batch.js';
import type { NodeIds } from './node-ids.js';
import { ingestChunkSize } from './write-nodes.js';

/** Removes the nodes of a batch's types that are not in it. */
export async function removeUnlistedNodes(rows: Writer, batch: IngestBatch, kept: NodeIds): Promise<void> {
  const types = typesOf(batch.nodes.values());
  if (types.length === 0) return;
  const ids = kept.all();
  for (let page = await rows.nodes({ types, limit: ingestChunkSize }); page.length > 0; ) {
    await rows.removeNodes(page.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
    page = await rows.nodes({ types, limit: ingestChunkSize, after: page.at(-1)?.order });
  }
}

/** Removes the edges of a batch's types that are not in it. */
export async function removeUnlistedEdges(
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
