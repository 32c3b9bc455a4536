import { isUtf8 } from 'node:buffer';

export interface LineEdges {
  readonly head: string;
  readonly tail: string;
}

export interface LineHandlers {
  line(text: string): void;
  tooLong(line: LineEdges): void;
  /** Guessing at invalid UTF-8 could store wrong text. */
  invalidUtf8(line: LineEdges): void;
}

const newline = 0x0a;
const edgeBytes = 512;

/** A line longer than `maxBytes` is skipped and reported. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #handlers: LineHandlers;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #skipping: { head: Buffer; tail: Buffer } | undefined;

  constructor(maxBytes: number, handlers: LineHandlers) {
    this.#maxBytes = maxBytes;
    this.#handlers = handlers;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#skipping !== undefined) {
      this.#skipping.tail = lastBytes(Buffer.concat([this.#skipping.tail, lastBytes(part)]));
      return;
    }
    this.#chunks.push(part);
    if (this.#bytes > this.#maxBytes) {
      const whole = Buffer.concat(this.#chunks);
      this.#chunks = [];
      // Copies, so that the whole line can be freed.
      this.#skipping = { head: Buffer.from(whole.subarray(0, edgeBytes)), tail: lastBytes(whole) };
    }
  }

  #finish(): void {
    const skipped = this.#skipping;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#skipping = undefined;
    if (skipped !== undefined) this.#handlers.tooLong(edges(skipped.head, skipped.tail));
    else if (isUtf8(bytes)) this.#handlers.line(bytes.toString('utf8'));
    else this.#handlers.invalidUtf8(edges(bytes.subarray(0, edgeBytes), lastBytes(bytes)));
  }
}

function edges(head: Buffer, tail: Buffer): LineEdges {
  return { head: head.toString('latin1'), tail: tail.toString('latin1') };
}

function lastBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - edgeBytes)));
}
