import { createMemory, writeVector } from '../wasm-code.js';
import { type BitsLayout, compileWriteBits, type WriteBits } from './write-bits.js';

/** Of 64 bits: with fewer, too many pairs look alike; more only take longer. */
const minWords = 8;
const maxWords = 16;
/** Powers of two, of the numbers that are mixed with each other; of a longer vector, some numbers are added up before. */
const minMixed = 64;
const maxMixed = 1_024;

/**
 * Turns vectors into bits, of which two vectors share the more the smaller the angle between them is: each bit says on
 * which side of a random plane a vector lies, so that they differ in about `acos(cosine) / π` of all bits. Every number of
 * a vector counts in every bit, since in vectors of some models one number is larger than all others together.
 */
export class VectorBits {
  /** Of 64 bits, for each vector. */
  readonly words: number;
  readonly #vector: Float32Array;
  readonly #bits: Uint32Array;
  readonly #writeBits: WriteBits;

  /** @param compile For tests. */
  constructor(dimension: number, compile: typeof compileWriteBits = compileWriteBits) {
    const blocks = Math.max(1, Math.ceil(dimension / 64));
    this.words = Math.min(maxWords, Math.ceil(minWords / blocks) * blocks);
    const size = Math.min(maxMixed, Math.max(minMixed, 2 ** Math.ceil(Math.log2(dimension))));
    const rounds = Math.ceil((this.words * 64) / size);
    const added = Math.ceil(dimension / size);
    const vectorBytes = Math.ceil(dimension / 4) * 16;
    // After the vector and its opposite, four zeros.
    const sources = 2 * vectorBytes + 16;
    const mixed = sources + rounds * added * size * 4;
    const bits = mixed + size * 4;
    const layout = { vectorBytes, sources, added, mixed, size, bits, bitsEnd: bits + this.words * 8 };
    const memory = createMemory(layout.bitsEnd);
    const random = randomFrom(1);
    for (let round = 0; round < rounds; round++) {
      const start = sources + round * added * size * 4;
      chooseSources(new Uint32Array(memory.buffer, start, added * size), dimension, layout, random);
    }
    this.#vector = new Float32Array(memory.buffer, 0, dimension);
    this.#bits = new Uint32Array(memory.buffer, bits, this.words * 2);
    this.#writeBits = compile(memory, layout);
  }

  /** @param bits As many 32-bit numbers as two times `words`. */
  write(vector: Float32Array, bits: Uint32Array): void {
    writeVector(vector, this.#vector);
    this.#writeBits();
    bits.set(this.#bits);
  }
}

/** Assigns each number of a vector, or its opposite, to a random one of the sums that are mixed. */
function chooseSources(
  sources: Uint32Array,
  dimension: number,
  { vectorBytes, size }: BitsLayout,
  random: Random,
): void {
  const zero = 2 * vectorBytes;
  sources.fill(zero);
  const places = shuffled(sources.length, random);
  for (let axis = 0; axis < dimension; axis++) {
    let place = (places[axis] ?? 0) % size;
    while (sources[place] !== zero) place += size;
    sources[place] = axis * 4 + (random(2) === 0 ? 0 : vectorBytes);
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
