import { isRecord } from '../../model/is-record.js';
import { streamLines } from '../../store/jsonl/lines/read-jsonl-lines.js';
import { type ImportInput, inputPath, readBytes, readHead } from '../import-input.js';
import { jsonItems, sampleJsonItems } from './json-items.js';

export interface JsonRecord {
  /** The member of the outer object whose array it is in. */
  readonly key?: string;
  readonly line: number;
  readonly value?: unknown;
  /** Completes the sentence "line 7 …"; then there is no value. */
  readonly problem?: string;
}

/** The items of a JSON document, or the values of JSON lines. */
export async function* jsonRecords(input: ImportInput, file?: string): AsyncGenerator<JsonRecord> {
  if (isJsonLines(await readHead(inputPath(input, file)))) return yield* jsonLineRecords(input, file);
  for await (const { text, ...item } of jsonItems(readBytes(input, file)))
    yield text === undefined ? item : { ...item, ...parse(text) };
}

/** For formats that are always JSON lines, even if there is only one. */
export async function* jsonLineRecords(input: ImportInput, file?: string): AsyncGenerator<JsonRecord> {
  for await (const { text, ...item } of streamLines(readBytes(input, file)))
    yield text === undefined ? item : { ...item, ...parse(text) };
}

/** The first line is an object of its own, and another line follows. */
export function isJsonLines(head: string): boolean {
  const lines = head.trimStart().split('\n');
  return lines.length > 1 && (lines[1] ?? '').trim() !== '' && isRecord(parse(lines[0] ?? '').value);
}

function parse(
  text: string,
): { readonly value: unknown } | { readonly value?: never; readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof RangeError ? 'is nested too deeply' : 'is not JSON' };
  }
}

/** The first values of a document whose beginning this is; for recognising it. */
export function sampleRecords(head: string): readonly JsonRecord[] {
  if (isJsonLines(head)) return sampleLineRecords(head);
  const found: JsonRecord[] = [];
  for (const { text, ...item } of sampleJsonItems(head)) {
    if (text !== undefined) found.push({ ...item, ...parse(text) });
    if (found.length === 50) break;
  }
  return found;
}

export function sampleLineRecords(head: string): readonly JsonRecord[] {
  return head.split('\n', 50).map((text, index) => ({ line: index + 1, ...parse(text) }));
}
