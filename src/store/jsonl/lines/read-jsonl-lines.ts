import type { LineRecord } from './line-record.js';
import { parseJsonlLine } from './parse-jsonl-line.js';
import { rawLine } from './split-lines.js';

const newline = 0x0a;

/** A longer line is reported instead of held in memory. */
const maxStreamedLineBytes = 64 * 1024 * 1024;

/** A record with its line number, counted from 1, and the line's text if it is valid and not too long. */
export type NumberedRecord = LineRecord & { readonly line: number; readonly text?: string };

/**
 * Reads either format. Skips blank lines; accepts CRLF, a byte order mark and a missing last newline. Holds no more than
 * one line and one chunk.
 */
export async function* readJsonlLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: { readonly maxLineBytes?: number } = {},
): AsyncGenerator<NumberedRecord> {
  const pending = new PendingLine(options.maxLineBytes ?? maxStreamedLineBytes);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (start < bytes.length) {
      const end = bytes.indexOf(newline, start);
      if (end === -1) {
        pending.add(bytes.subarray(start));
        break;
      }
      pending.add(bytes.subarray(start, end));
      const record = pending.finish();
      if (record !== undefined) yield record;
      start = end + 1;
    }
  }
  const last = pending.finish();
  if (last !== undefined) yield last;
}

class PendingLine {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #number = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  finish(): NumberedRecord | undefined {
    const line = this.#number;
    const tooLong = this.#bytes > this.#maxBytes;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#number += 1;
    if (tooLong) return { kind: 'unreadable', reason: `is longer than ${this.#maxBytes} bytes`, line };
    const raw = rawLine(bytes, line);
    if (raw === undefined) return undefined;
    return { ...parseLineText(raw.text), line, ...(raw.text === undefined ? {} : { text: raw.text }) };
  }
}

export function parseLineText(text: string | undefined): LineRecord {
  if (text === undefined) return { kind: 'unreadable', reason: 'is not valid UTF-8' };
  return parseJsonlLine(text);
}
