import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Texts that stay in memory before they go to the file together: few enough that they are garbage before they are old. */
const maxPendingLength = 65_536;
const initialReadSize = 65_536;
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

  /** Reads into one buffer, which begins with what is left of the last line; it grows with the longest line. */
  *lines(): Generator<string> {
    let buffer = Buffer.allocUnsafe(initialReadSize);
    let left = 0;
    for (let at = 0; at < this.#size; ) {
      if (left === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
      const count = readSync(this.#descriptor, buffer, left, buffer.length - left, at);
      at += count;
      const bytes = buffer.subarray(0, left + count);
      let from = 0;
      for (let end = bytes.indexOf(newline, left); end !== -1; end = bytes.indexOf(newline, from)) {
        yield bytes.toString('utf8', from, end);
        from = end + 1;
      }
      bytes.copyWithin(0, from);
      left = bytes.length - from;
    }
  }

  remove(): void {
    closeSync(this.#descriptor);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
