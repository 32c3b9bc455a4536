import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Texts that stay in memory before they go to the file together. */
const maxPendingLength = 1_048_576;
const readSize = 1_048_576;
const newline = 0x0a;

/**
 * A list of texts without line breaks that can be longer than memory: what does not fit is in a temporary file. Synchronous,
 * because a write must wait for nothing but its rows.
 */
export class TextSpool implements Iterable<string> {
  #pending: string[] = [];
  #pendingLength = 0;
  #file: SpoolFile | undefined;

  push(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength < maxPendingLength) return;
    this.#file ??= new SpoolFile();
    this.#file.append(`${this.#pending.join('\n')}\n`);
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** In the order in which they were pushed; nothing may be pushed meanwhile. */
  *[Symbol.iterator](): Generator<string> {
    if (this.#file !== undefined) yield* this.#file.lines();
    yield* this.#pending;
  }

  dispose(): void {
    this.#file?.remove();
    this.#file = undefined;
    this.#pending = [];
  }
}

class SpoolFile {
  readonly #folder = mkdtempSync(join(tmpdir(), 'trellis-spool-'));
  readonly #descriptor = openSync(join(this.#folder, 'lines'), 'wx+', 0o600);
  #size = 0;

  constructor() {
    // Where the system lets an open file go, a killed process leaves nothing behind.
    if (process.platform !== 'win32') rmSync(this.#folder, { recursive: true });
  }

  append(text: string): void {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(this.#descriptor, bytes, at, bytes.length - at, this.#size + at);
    }
    this.#size += bytes.length;
  }

  *lines(): Generator<string> {
    const buffer = Buffer.alloc(readSize);
    let rest = Buffer.alloc(0);
    for (let at = 0; at < this.#size; ) {
      const count = readSync(this.#descriptor, buffer, 0, readSize, at);
      at += count;
      const bytes = Buffer.concat([rest, buffer.subarray(0, count)]);
      let from = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        yield bytes.toString('utf8', from, end);
        from = end + 1;
      }
      rest = bytes.subarray(from);
    }
  }

  remove(): void {
    closeSync(this.#descriptor);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
