import { checkEdgeRecord, checkNodeRecord } from '../../engine/write/import-records.js';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { foreignMembers } from '../../store/jsonl/lines/foreign-members.js';
import { parseLine } from '../../store/jsonl/lines/parse-line.js';
import type { LineRecord } from '../../store/jsonl/lines/records.js';
import type { RawLine } from '../../store/jsonl/lines/split-lines.js';
import { fileLines } from './lines.js';

export interface UnreadableLine {
  readonly line: number;
  readonly reason: string;
}

/** What a file holds. */
export interface Scan {
  readonly nodes: number;
  readonly edges: number;
  readonly unreadable: readonly UnreadableLine[];
  /** Keys that Trellis has no place for. */
  readonly unknownKeys: readonly string[];
}

/** Each line of a file as a record that can be stored, or the reason why it cannot. */
export async function* fileRecords(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<{ readonly line: RawLine; readonly record: LineRecord }> {
  try {
    for await (const line of fileLines(path, onBytes)) yield { line, record: checked(read(line)) };
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? cannotRead(path, error) : error;
  }
}

/** Reads a whole file without keeping it, and says what it holds. */
export async function scanFile(path: string, onBytes?: (count: number) => void): Promise<Scan> {
  const unreadable: UnreadableLine[] = [];
  const unknownKeys = new Set<string>();
  const counts = { node: 0, edge: 0, unreadable: 0 };
  for await (const { line, record } of fileRecords(path, onBytes)) {
    counts[record.kind] += 1;
    if (record.kind === 'unreadable') unreadable.push({ line: line.number, reason: record.reason });
    else for (const { key } of foreignMembers(line.text ?? '')) unknownKeys.add(key);
  }
  return { nodes: counts.node, edges: counts.edge, unreadable, unknownKeys: [...unknownKeys] };
}

function read({ text }: RawLine): LineRecord {
  return text === undefined ? { kind: 'unreadable', reason: 'is not valid UTF-8' } : parseLine(text);
}

function checked(record: LineRecord): LineRecord {
  try {
    if (record.kind === 'node') checkNodeRecord(record);
    if (record.kind === 'edge') checkEdgeRecord(record);
    return record;
  } catch (error) {
    return { kind: 'unreadable', reason: `cannot be stored: ${asTrellisError(error).message}` };
  }
}

function cannotRead(path: string, error: Error): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `Cannot read ${path}: ${error.message}`, {
    hint: 'Check the path and its permissions.',
    cause: error,
  });
}
