/** Numbers that are mixed with each other. */
const blockSize = 64;
/** Of 64 bits: with fewer, too many pairs look alike; more only take longer. */
const minWords = 8;
const maxWords = 16;

/**
 * Turns vectors into bits, of which two vectors share the more the smaller the angle between them is: each bit says on
 * which side of a random plane a vector lies, so that they differ in about `acos(cosine) / π` of all bits.
 */
export class VectorBits {
  /** Of 64 bits, for each vector. */
  readonly words: number;
  /** Of the planes: which number goes where, and with which sign. */
  readonly #rounds: readonly { readonly from: Uint32Array; readonly sign: Float32Array }[];
  readonly #mixed: Float32Array;
  /** The same memory. */
  readonly #mixedBits: Uint32Array;

  constructor(dimension: number) {
    const blocks = Math.max(1, Math.ceil(dimension / blockSize));
    const rounds = Math.ceil(minWords / blocks);
    const padded = blocks * blockSize;
    const random = randomFrom(1);
    this.words = Math.min(maxWords, rounds * blocks);
    this.#mixed = new Float32Array(padded);
    this.#mixedBits = new Uint32Array(this.#mixed.buffer);
    this.#rounds = Array.from({ length: rounds }, () => ({
      from: shuffled(padded, random),
      // What lies beyond the vector counts nothing.
      sign: Float32Array.from({ length: padded }, () => (random(2) === 0 ? 1 : -1)),
    }));
  }

  /** @param bits As many 32-bit numbers as two times `words`. */
  write(vector: Float32Array, bits: Uint32Array): void {
    let at = 0;
    for (const { from, sign } of this.#rounds) {
      const [mixed, mixedBits] = [this.#mixed, this.#mixedBits];
      // Adding 0 leaves no negative zeros.
      for (let index = 0; index < mixed.length; index++)
        mixed[index] = (vector[from[index] ?? 0] ?? 0) * (sign[index] ?? 0) + 0;
      mixBlocks(mixed);
      for (let index = 0; index < mixed.length && at < bits.length; at++) {
        let word = 0;
        // The sign of each number, without a branch that would be wrong half of the time.
        for (let bit = 0; bit < 32; bit++, index++) word = (word << 1) | ((mixedBits[index] ?? 0) >>> 31);
        bits[at] = word;
      }
    }
  }
}

/**
 * The Walsh–Hadamard transform of each block: every number becomes a sum of all of them, with signs of its own. Two steps of
 * it are done at once, which takes half as many passes.
 */
function mixBlocks(numbers: Float32Array): void {
  for (let step = 1; step < blockSize; step *= 4) {
    for (let start = 0; start < numbers.length; start += 4 * step) {
      for (let first = start; first < start + step; first++) {
        const [second, third, fourth] = [first + step, first + 2 * step, first + 3 * step];
        const a = numbers[first] ?? 0;
        const b = numbers[second] ?? 0;
        const c = numbers[third] ?? 0;
        const d = numbers[fourth] ?? 0;
        numbers[first] = a + b + (c + d);
        numbers[second] = a - b + (c - d);
        numbers[third] = a + b - (c + d);
        numbers[fourth] = a - b - (c - d);
      }
    }
  }
}

/** An integer from 0 to below the given one. */
type Random = (below: number) => number;

function shuffled(count: number, random: Random): Uint32Array {
  const items = Uint32Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at--) {
    const other = random(at + 1);
    const moved = items[at] ?? 0;
    items[at] = items[other] ?? 0;
    items[other] = moved;
  }
  return items;
}

/** Always the same, so that the same graph gives the same result. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
