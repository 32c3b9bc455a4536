import { TimeSlice } from '../bounds/time-slice.js';
import type { Transaction, WritableGraph } from '../engine/graph.js';
import { type Clock, type Ids, systemClock, ulids } from '../model/clock.js';
import type { Commit } from '../model/commit.js';
import type { Reader } from '../store/reader.js';
import { LineBatch } from './line-batch.js';
import { lineError } from './line-error.js';
import { parseIngestLine } from './parse-ingest-line.js';
import { readIngestLines } from './read-ingest-lines.js';
import { type LoadedCounts, type WriteBatchOptions, writeBatch } from './write-batch.js';

export interface IngestOptions extends WriteBatchOptions {
  readonly maxBytes: number;
  /** Whether lines may have provenance, which can forge the stamps of the write gate. Default: no. */
  readonly allowProvenance?: boolean;
  /** For nodes without a name. */
  readonly ids?: Ids;
  readonly clock?: Clock;
}

export interface IngestReport extends LoadedCounts {
  /** Null if nothing changed. */
  readonly commit: Commit | null;
}

export interface IngestTarget extends WritableGraph {
  /** Where it can be read, lines are resolved before the write begins. */
  read?<T>(work: (reader: Pick<Reader, 'schema'>) => Promise<T>): Promise<T>;
}

/** Reads lines of nodes and edges, in any order, and writes them as one commit. */
export async function runIngest(
  target: IngestTarget,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes, allowProvenance = false, ids = ulids(), clock = systemClock, ...options }: IngestOptions,
): Promise<IngestReport> {
  const { mode, progress } = options;
  const lines = new LineBatch({ mode, ids, now: clock() });
  const readSchema = () => target.read?.((reader) => reader.schema());
  /** What the schema of before refuses may be right under the present one. */
  const refuse = async (error: unknown) => {
    const source = await readSchema();
    if (source === undefined || !lines.forgetOutdated(source)) throw error;
  };
  try {
    const source = await readSchema();
    if (source !== undefined) await lines.expect(source);
    progress?.begin('reading lines');
    // Lines that have arrived already are read without a pause.
    const slice = new TimeSlice();
    let rows = 0;
    for await (const text of readIngestLines(bytes, maxBytes)) {
      const line = parseIngestLine(text);
      if (line.provenance !== undefined && !allowProvenance) throw provenanceForbidden(line.line);
      try {
        lines.add(text, line);
      } catch (error) {
        await refuse(error);
      }
      rows += 1;
      progress?.advance(1);
      if (slice.isOver) await slice.yieldToOthers();
    }
    try {
      lines.check();
    } catch (error) {
      await refuse(error);
    }
    const { result, commit } = await target.commit((tx) => writeLines(tx, lines, options), { rows });
    return { ...result, commit };
  } finally {
    lines.dispose();
  }
}

async function writeLines(
  tx: Transaction,
  lines: LineBatch,
  options: WriteBatchOptions,
): Promise<LoadedCounts> {
  const batch = await lines.under(await tx.rows.schema());
  options.progress?.begin('writing', batch.nodes.size + batch.edges.size);
  return writeBatch(tx, batch, options);
}

function provenanceForbidden(line: number): Error {
  return lineError(
    line,
    'it has "provenance", which only an operator may set.',
    'Remove it, or ask for the grant graph_admin; trellis ingest on the machine of the store accepts it too.',
    'FORBIDDEN',
  );
}
