/** Of 64 bits: with fewer, too many pairs look alike; more only take longer. */
const minWords = 8;
const maxWords = 16;
/** Powers of two, of the numbers that are mixed with each other; of a longer vector, some numbers are added up before. */
const minMixed = 64;
const maxMixed = 1_024;

/** Where each number of a vector goes, and with which sign. */
interface Round {
  readonly to: Uint16Array;
  readonly sign: Float32Array;
}

/**
 * Turns vectors into bits, of which two vectors share the more the smaller the angle between them is: each bit says on
 * which side of a random plane a vector lies, so that they differ in about `acos(cosine) / π` of all bits. Every number of
 * a vector counts in every bit, since in vectors of some models one number is larger than all others together.
 */
export class VectorBits {
  /** Of 64 bits, for each vector. */
  readonly words: number;
  /** Of the planes. */
  readonly #rounds: readonly Round[];
  readonly #mixed: Float32Array;
  /** The same memory. */
  readonly #mixedBits: Uint32Array;

  constructor(dimension: number) {
    const blocks = Math.max(1, Math.ceil(dimension / 64));
    this.words = Math.min(maxWords, Math.ceil(minWords / blocks) * blocks);
    const size = Math.min(maxMixed, Math.max(minMixed, 2 ** Math.ceil(Math.log2(dimension))));
    const padded = Math.ceil(dimension / size) * size;
    const random = randomFrom(1);
    this.#mixed = new Float32Array(size);
    this.#mixedBits = new Uint32Array(this.#mixed.buffer);
    this.#rounds = Array.from({ length: Math.ceil((this.words * 64) / size) }, () => ({
      to: Uint16Array.from(shuffled(padded, random).subarray(0, dimension), (place) => place % size),
      sign: Float32Array.from({ length: dimension }, () => (random(2) === 0 ? 1 : -1)),
    }));
  }

  /** @param bits As many 32-bit numbers as two times `words`. */
  write(vector: Float32Array, bits: Uint32Array): void {
    const [mixed, mixedBits] = [this.#mixed, this.#mixedBits];
    let at = 0;
    for (const { to, sign } of this.#rounds) {
      // Sums that begin with 0 are no negative zeros.
      mixed.fill(0);
      for (let axis = 0; axis < to.length; axis++) {
        const place = to[axis] ?? 0;
        mixed[place] = (mixed[place] ?? 0) + (vector[axis] ?? 0) * (sign[axis] ?? 0);
      }
      weighUnevenly(mixed);
      mix(mixed);
      for (let index = 0; index < mixed.length && at < bits.length; at++) {
        let word = 0;
        // The sign of each number, without a branch that would be wrong half of the time.
        for (let bit = 0; bit < 32; bit++, index++) word = (word << 1) | ((mixedBits[index] ?? 0) >>> 31);
        bits[at] = word;
      }
    }
  }
}

/** As measured: with 0, vectors with one large number seem nearer to each other than they are; with 1, less near. */
const neighbourWeight = 0.577;

/**
 * Turns each number and its neighbour, so that a number counts more in some sums of them all than in others, about as in
 * random planes. A large one that counted the same everywhere would decide too many bits.
 */
function weighUnevenly(numbers: Float32Array): void {
  for (let at = 0; at < numbers.length; at += 2) {
    const a = numbers[at] ?? 0;
    const b = numbers[at + 1] ?? 0;
    numbers[at] = a + neighbourWeight * b;
    numbers[at + 1] = neighbourWeight * a - b;
  }
}

/**
 * The Walsh–Hadamard transform: every number becomes a sum of all of them, with signs of its own. Two steps of it are done
 * at once, which takes half as many passes. Plain variables, since destructuring a list would take half as long again.
 */
function mix(numbers: Float32Array): void {
  const { length } = numbers;
  let step = 1;
  for (; 4 * step <= length; step *= 4) {
    for (let start = 0; start < length; start += 4 * step) {
      for (let first = start; first < start + step; first++) {
        const second = first + step;
        const third = second + step;
        const fourth = third + step;
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
  if (step === length) return;
  for (let first = 0; first < step; first++) {
    const a = numbers[first] ?? 0;
    const b = numbers[first + step] ?? 0;
    numbers[first] = a + b;
    numbers[first + step] = a - b;
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
