import { TimeSlice } from '../bounds/time-slice.js';
import { countValues } from './json-text.js';

/** Characters of a chunk, and of a string that is printed at once. */
const chunkLength = 65_536;
/** Values printed at once. */
const syncValueLimit = 200;

/** The bytes of `JSON.stringify(value)`, printed in time slices. */
export async function jsonChunks(value: unknown): Promise<Uint8Array<ArrayBuffer>[]> {
  const printer = new ChunkPrinter();
  await printer.print(value);
  return printer.end();
}

class ChunkPrinter {
  readonly #encoder = new TextEncoder();
  readonly #slice = new TimeSlice();
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #text = '';

  async print(value: unknown): Promise<void> {
    if (this.#slice.isOver) await this.#slice.yieldToOthers();
    if (typeof value === 'string') return this.#printString(value);
    if (typeof value !== 'object' || value === null || countValues(value, syncValueLimit) < syncValueLimit)
      return this.#add(JSON.stringify(value) ?? 'null');
    if (Array.isArray(value)) {
      this.#add('[');
      for (const [index, item] of value.entries()) {
        if (index > 0) this.#add(',');
        await this.print(item);
      }
      return this.#add(']');
    }
    let before = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      this.#add(`${before}${JSON.stringify(key)}:`);
      await this.print(member);
      before = ',';
    }
    this.#add(before === '{' ? '{}' : '}');
  }

  end(): Uint8Array<ArrayBuffer>[] {
    this.#flush();
    return this.#chunks;
  }

  async #printString(text: string): Promise<void> {
    if (text.length <= chunkLength) return this.#add(JSON.stringify(text));
    this.#add('"');
    for (let at = 0; at < text.length; ) {
      if (this.#slice.isOver) await this.#slice.yieldToOthers();
      const end = endOfPiece(text, at + chunkLength);
      this.#add(JSON.stringify(text.slice(at, end)).slice(1, -1));
      at = end;
    }
    this.#add('"');
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length >= chunkLength) this.#flush();
  }

  #flush(): void {
    if (this.#text !== '') this.#chunks.push(this.#encoder.encode(this.#text));
    this.#text = '';
  }
}

/** Does not separate a surrogate pair: its halves would be escaped. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
