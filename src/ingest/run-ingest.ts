import { TimeSlice } from '../bounds/time-slice.js';
import type { Transaction } from '../engine/graph.js';
import { type Ids, ulids } from '../model/clock.js';
import type { WriteResult } from '../store/write-result.js';
import { Batch } from './batch.js';
import { ingestBatch, type Loaded } from './ingest.js';
import { lineProblem } from './line-problem.js';
import type { IngestMode } from './modes.js';
import { parseLine } from './parse-line.js';
import { readLines } from './read-lines.js';
import type { Line } from './records.js';

/** A branch that takes commits. */
export interface IngestTarget {
  commit<T>(work: (tx: Transaction) => Promise<T>): Promise<WriteResult<T>>;
}

export interface IngestOptions {
  readonly mode: IngestMode;
  /** More than this is refused while it arrives. */
  readonly mostBytes: number;
  /** Whether lines may say where their facts came from; whoever may, can forge the stamps of the gate. Default: no. */
  readonly takesProvenance?: boolean;
  readonly ids?: Ids;
}

export interface IngestReport extends Loaded {
  /** Null if nothing changed. */
  readonly commit: string | null;
}

/** Reads lines of nodes and edges, in any order, and writes them as one commit. */
export async function runIngest(
  target: IngestTarget,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { mode, mostBytes, takesProvenance = false, ids = ulids() }: IngestOptions,
): Promise<IngestReport> {
  const lines: Line[] = [];
  for await (const text of readLines(bytes, mostBytes)) {
    const line = parseLine(text);
    if (line.provenance !== undefined && !takesProvenance) throw mayNotStamp(line.line);
    lines.push(line);
  }
  const { result, commit } = await target.commit(async (tx) => {
    const source = await tx.rows.schema();
    const schema = source === null ? null : (await import('../schema/enforce/schema-of.js')).schemaOf(source);
    const batch = new Batch({ schema, mode, ids, now: tx.rows.now });
    const turns = new TimeSlice();
    for (const line of lines) {
      batch.add(line);
      if (turns.isOver) await turns.yieldToOthers();
    }
    return ingestBatch(tx, batch, mode);
  });
  return { ...result, commit: commit?.id ?? null };
}

function mayNotStamp(line: number): Error {
  return lineProblem(
    line,
    'it has "provenance", which only an operator may bring in.',
    'Leave it out, or ask for the grant graph_admin, which restoring stamps of the write gate takes; trellis ingest on the machine of the store takes it too.',
    'FORBIDDEN',
  );
}
