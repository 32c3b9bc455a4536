import { foreignMembers } from '../store/jsonl/lines/foreign-members.js';
import { parseJsonlLine } from '../store/jsonl/lines/parse-jsonl-line.js';
import { type NumberedRecord, readJsonlLines } from '../store/jsonl/lines/read-jsonl-lines.js';
import type { ImportFormat, ImportItem } from './import-format.js';
import { readBytes } from './import-input.js';
import { cannotBeStored } from './scan-import.js';

/** Opening a store replaces such characters; an import must not change what it reads. */
const invalidText = 'a text contains NUL or half of a surrogate pair';

/** Lines of the reference memory server and of MemoryMesh, which `trellis export` writes too. */
export const memoryLines: ImportFormat = {
  kind: 'memory',
  title: 'JSON lines of the reference memory server, MemoryMesh or trellis export',
  losses: [],
  recognise: ({ head, isFolder }) => {
    const lines = head.split('\n', 50).slice(0, -1);
    const isLine = (line: string) => parseJsonlLine(line).kind !== 'unreadable';
    return !isFolder && (lines.some(isLine) || isLine(head)) ? 0.9 : 0;
  },
  async *read(input) {
    for await (const record of readJsonlLines(readBytes(input))) yield item(record);
  },
};

function item(record: NumberedRecord): ImportItem {
  if (record.kind === 'unreadable') return record;
  const { text = '', ...rest } = record;
  if (rest.kind === 'node' && rest.original !== undefined)
    return { kind: 'unreadable', reason: `${cannotBeStored}: ${invalidText}`, line: rest.line };
  return { ...rest, leftOut: () => foreignMembers(text).map(({ key }) => key) };
}
