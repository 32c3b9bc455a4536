import type { LineRecord } from './line-record.js';
import { parseJsonlLine } from './parse-jsonl-line.js';
import { rawLine } from './split-lines.js';

const newline = 0x0a;

/** A longer line is reported instead of held in memory. */
const maxStreamedLineBytes = 64 * 1024 * 1024;

/** A line that is not blank. The number counts from 1. */
export interface StreamedLine {
  readonly line: number;
  /** Undefined if the line cannot be read. */
  readonly text?: string;
  /** Completes the sentence "the line …". */
  readonly problem?: string;
}

/** A record with its line number, and the line's text if it is valid and not too long. */
export type NumberedRecord = LineRecord & { readonly line: number; readonly text?: string };

interface LineOptions {
  readonly maxLineBytes?: number;
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Reads either format. */
export async function* readJsonlLines(chunks: Chunks, options?: LineOptions): AsyncGenerator<NumberedRecord> {
  for await (const { line, text, problem } of streamLines(chunks, options)) {
    if (text === undefined) yield { kind: 'unreadable', reason: problem ?? notUtf8, line };
    else yield { ...parseJsonlLine(text), line, text };
  }
}

/**
 * Skips blank lines; accepts CRLF, a byte order mark and a missing last newline. Holds no more than one line and one
 * chunk.
 */
export async function* streamLines(chunks: Chunks, options: LineOptions = {}): AsyncGenerator<StreamedLine> {
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
      const line = pending.finish();
      if (line !== undefined) yield line;
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

  finish(): StreamedLine | undefined {
    const line = this.#number;
    const tooLong = this.#bytes > this.#maxBytes;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#number += 1;
    if (tooLong) return { line, problem: `is longer than ${this.#maxBytes} bytes` };
    const raw = rawLine(bytes, line);
    if (raw === undefined) return undefined;
    return raw.text === undefined ? { line, problem: notUtf8 } : { line, text: raw.text };
  }
}

const notUtf8 = 'is not valid UTF-8';

export function parseLineText(text: string | undefined): LineRecord {
  if (text === undefined) return { kind: 'unreadable', reason: notUtf8 };
  return parseJsonlLine(text);
}
