import { isUtf8 } from 'node:buffer';

const newline = 0x0a;

/** Longer content may exceed the longest string. */
const oneStringBytes = 0x1000_0000;

export interface RawLine {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  /** Without the line ending and byte order mark; undefined if the bytes are not valid UTF-8. */
  readonly text: string | undefined;
  bytes(): Buffer;
}

export function* splitLines(content: Buffer, firstNumber = 1): Generator<RawLine> {
  if (content.length <= oneStringBytes && isUtf8(content))
    yield* splitText(content.toString('utf8'), firstNumber);
  else yield* splitBytes(content, firstNumber);
}

function* splitText(content: string, firstNumber: number): Generator<RawLine> {
  let number = firstNumber;
  let start = 0;
  while (start < content.length) {
    const found = content.indexOf('\n', start);
    const end = found === -1 ? content.length : found;
    const raw = content.slice(start, end);
    const text = cleanText(raw, number === 1);
    if (!isBlank(text)) yield { number, text, bytes: () => Buffer.from(raw, 'utf8') };
    start = end + 1;
    number += 1;
  }
}

function* splitBytes(content: Buffer, firstNumber: number): Generator<RawLine> {
  let number = firstNumber;
  let start = 0;
  while (start < content.length) {
    const found = content.indexOf(newline, start);
    const end = found === -1 ? content.length : found;
    const line = rawLine(content.subarray(start, end), number);
    if (line !== undefined) yield line;
    start = end + 1;
    number += 1;
  }
}

/** Undefined if the line is blank. */
export function rawLine(bytes: Buffer, number: number): RawLine | undefined {
  if (bytes.length > oneStringBytes || !isUtf8(bytes))
    return { number, text: undefined, bytes: () => Buffer.from(bytes) };
  const text = cleanText(bytes.toString('utf8'), number === 1);
  return isBlank(text) ? undefined : { number, text, bytes: () => Buffer.from(bytes) };
}

function cleanText(raw: string, first: boolean): string {
  const start = first && raw.startsWith('\ufeff') ? 1 : 0;
  const end = raw.endsWith('\r') ? raw.length - 1 : raw.length;
  return raw.slice(start, end);
}

/** Only JSON white space is blank; anything else is somebody's data. */
function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text);
}
