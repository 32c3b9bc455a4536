import { createReadStream } from 'node:fs';
import { checkEdgeRecord, checkNodeRecord } from '../../engine/write/import-records.js';
import { readFailureReason } from '../../file/file-errors.js';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { foreignMembers } from '../../store/jsonl/lines/foreign-members.js';
import { type NumberedRecord, readJsonlLines } from '../../store/jsonl/lines/read-jsonl-lines.js';

export const cannotBeStored = 'cannot be stored';

/** Opening a store replaces such characters; an import must not change what it reads. */
const invalidText = 'a text contains NUL or half of a surrogate pair';

export interface UnreadableInputLine {
  readonly line: number;
  readonly reason: string;
}

export interface FileScan {
  readonly nodes: number;
  readonly edges: number;
  readonly unreadable: readonly UnreadableInputLine[];
  readonly unknownKeys: readonly string[];
}

export async function* fileRecords(
  path: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<NumberedRecord> {
  const stream = createReadStream(path, { highWaterMark: 1 << 20 });
  stream.on('data', (chunk) => onBytes(chunk.length));
  try {
    for await (const record of readJsonlLines(stream)) yield checkRecord(record);
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? cannotRead(path, error) : error;
  }
}

export async function scanFile(path: string, onBytes?: (count: number) => void): Promise<FileScan> {
  const unreadable: UnreadableInputLine[] = [];
  const unknownKeys = new Set<string>();
  const counts = { node: 0, edge: 0, unreadable: 0 };
  for await (const record of fileRecords(path, onBytes)) {
    counts[record.kind] += 1;
    if (record.kind === 'unreadable') unreadable.push({ line: record.line, reason: record.reason });
    else for (const { key } of foreignMembers(record.text ?? '')) unknownKeys.add(key);
  }
  return { nodes: counts.node, edges: counts.edge, unreadable, unknownKeys: [...unknownKeys] };
}

function checkRecord(record: NumberedRecord): NumberedRecord {
  if (record.kind === 'node' && record.original !== undefined)
    return { kind: 'unreadable', reason: `${cannotBeStored}: ${invalidText}`, line: record.line };
  try {
    if (record.kind === 'node') checkNodeRecord(record);
    if (record.kind === 'edge') checkEdgeRecord(record);
    return record;
  } catch (error) {
    const reason = `${cannotBeStored}: ${asTrellisError(error).message}`;
    return { kind: 'unreadable', reason, line: record.line };
  }
}

function cannotRead(path: string, error: Error): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `Cannot read ${path}: ${readFailureReason(error)}.`, {
    hint: 'Check the path and its permissions.',
    cause: error,
  });
}
