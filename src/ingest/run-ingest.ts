import { TimeSlice } from '../bounds/time-slice.js';
import type { Transaction, WritableGraph } from '../engine/graph.js';
import { type Ids, ulids } from '../model/clock.js';
import type { Commit } from '../model/commit.js';
import { IngestBatch } from './ingest-batch.js';
import { lineError } from './line-error.js';
import { type IngestLine, parseIngestLine } from './parse-ingest-line.js';
import { readIngestLines } from './read-ingest-lines.js';
import { TextSpool } from './text-spool.js';
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
  const lines = new TextSpool();
  try {
    progress?.begin('reading lines');
    // Lines that have arrived already are read without a pause.
    const slice = new TimeSlice();
    let rows = 0;
    for await (const text of readIngestLines(bytes, maxBytes)) {
      const line = parseIngestLine(text);
      if (line.provenance !== undefined && !allowProvenance) throw provenanceForbidden(line.line);
      lines.push(JSON.stringify(line));
      rows += 1;
      progress?.advance(1);
      if (slice.isOver) await slice.yieldToOthers();
    }
    const { result, commit } = await target.commit(
      (tx) => writeLines(tx, lines, { mode, cascade, ids, progress }),
      { rows },
    );
    return { ...result, commit };
  } finally {
    lines.dispose();
  }
}

async function writeLines(
  tx: Transaction,
  lines: TextSpool,
  { ids, ...options }: WriteBatchOptions & { readonly ids: Ids },
): Promise<LoadedCounts> {
  const { mode, progress } = options;
  const source = await tx.rows.schema();
  const schema =
    source === null
      ? null
      : (await import('../schema/enforce/graph-schema-cache.js')).cachedGraphSchema(source);
  const batch = new IngestBatch({ schema, mode, ids, now: tx.rows.now });
  try {
    const slice = new TimeSlice();
    for (const line of lines) {
      batch.add(JSON.parse(line) as IngestLine);
      if (slice.isOver) await slice.yieldToOthers();
    }
    batch.nodes.check();
    batch.edges.check();
    progress?.begin('writing', batch.nodes.size + batch.edges.size);
    return await writeBatch(tx, batch, options);
  } finally {
    batch.dispose();
  }
}

function provenanceForbidden(line: number): Error {
  return lineError(
    line,
    'it has "provenance", which only an operator may set.',
    'Remove it, or ask for the grant graph_admin; trellis ingest on the machine of the store accepts it too.',
    'FORBIDDEN',
  );
}
