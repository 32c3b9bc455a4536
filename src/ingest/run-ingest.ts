import { TimeSlice } from '../bounds/time-slice.js';
import type { WritableGraph } from '../engine/graph.js';
import { type Ids, ulids } from '../model/clock.js';
import type { Commit } from '../model/commit.js';
import { IngestBatch } from './ingest-batch.js';
import { lineError } from './line-error.js';
import { type IngestLine, parseIngestLine } from './parse-ingest-line.js';
import { readIngestLines } from './read-ingest-lines.js';
import { type LoadedCounts, type WriteBatchOptions, writeBatch } from './write-batch.js';

export interface IngestOptions extends WriteBatchOptions {
  readonly maxBytes: number;
  /** Whether lines may have provenance, which can forge the stamps of the write gate. Default: no. */
  readonly allowProvenance?: boolean;
  readonly ids?: Ids;
}

export interface IngestReport extends LoadedCounts {
  /** Null if nothing changed. */
  readonly commit: Commit | null;
}

/** Reads lines of nodes and edges, in any order, and writes them as one commit. */
export async function runIngest(
  target: WritableGraph,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { mode, maxBytes, allowProvenance = false, cascade, ids = ulids(), progress }: IngestOptions,
): Promise<IngestReport> {
  const lines: IngestLine[] = [];
  progress?.begin('reading lines');
  for await (const text of readIngestLines(bytes, maxBytes)) {
    const line = parseIngestLine(text);
    if (line.provenance !== undefined && !allowProvenance) throw provenanceForbidden(line.line);
    lines.push(line);
    progress?.advance(1);
  }
  const { result, commit } = await target.commit(async (tx) => {
    const source = await tx.rows.schema();
    const schema =
      source === null
        ? null
        : (await import('../schema/enforce/graph-schema-cache.js')).cachedGraphSchema(source);
    const batch = new IngestBatch({ schema, mode, ids, now: tx.rows.now });
    const slice = new TimeSlice();
    for (const line of lines) {
      batch.add(line);
      if (slice.isOver) await slice.yieldToOthers();
    }
    progress?.begin('writing', batch.nodes.size + batch.edges.size);
    return writeBatch(tx, batch, { mode, cascade, progress });
  });
  return { ...result, commit };
}

function provenanceForbidden(line: number): Error {
  return lineError(
    line,
    'it has "provenance", which only an operator may set.',
    'Remove it, or ask for the grant graph_admin; trellis ingest on the machine of the store accepts it too.',
    'FORBIDDEN',
  );
}
