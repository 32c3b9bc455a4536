/** So many are kept in a set of the language, which is quicker to make. */
const maxFew = 1_000;
const blockBits = 10;
const blockMask = (1 << blockBits) - 1;

/**
 * Whole numbers from 0 on, such as the ids of nodes. Those that a large write makes are neighbours: each then takes about two
 * bits instead of 26 bytes. Many are in no particular order.
 */
export class NumberSet implements Iterable<number> {
  #few: Set<number> | undefined = new Set();
  readonly #blocks = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#few?.size ?? this.#size;
  }

  has(number: number): boolean {
    if (this.#few !== undefined) return this.#few.has(number);
    const block = this.#blocks.get(blockOf(number));
    return block !== undefined && ((block[wordOf(number)] ?? 0) & bitOf(number)) !== 0;
  }

  add(number: number): void {
    const few = this.#few;
    if (few === undefined) {
      this.#addToBlock(number);
      return;
    }
    few.add(number);
    if (few.size <= maxFew) return;
    this.#few = undefined;
    for (const each of few) this.#addToBlock(each);
  }

  *[Symbol.iterator](): Generator<number> {
    if (this.#few !== undefined) {
      yield* this.#few;
      return;
    }
    for (const [start, block] of this.#blocks)
      for (let at = 0; at <= blockMask; at++)
        if (((block[at >>> 5] ?? 0) & bitOf(at)) !== 0) yield start * (blockMask + 1) + at;
  }

  #addToBlock(number: number): void {
    let block = this.#blocks.get(blockOf(number));
    if (block === undefined) {
      block = new Uint32Array((blockMask + 1) >>> 5);
      this.#blocks.set(blockOf(number), block);
    }
    const word = block[wordOf(number)] ?? 0;
    if ((word & bitOf(number)) !== 0) return;
    block[wordOf(number)] = word | bitOf(number);
    this.#size += 1;
  }
}

// Numbers may have more than 32 bits, which is all that bit operators see.
function blockOf(number: number): number {
  return Math.floor(number / (blockMask + 1));
}

function wordOf(number: number): number {
  return (number % (blockMask + 1)) >>> 5;
}

function bitOf(number: number): number {
  return 1 << (number % 32);
}
