import { createMemory, WasmCode } from '../wasm-code.js';

/** See bit-distances.wat. */
interface BitFunctions {
  readonly scan: (
    ...from: [heads: number, tails: number, tail: number, from: number, row: number, end: number, ...Bounds]
  ) => number;
  readonly scan_cells: (
    ...from: [
      ...[heads: number, tails: number, tail: number, from: number],
      ...[cells: number, end: number, starts: number],
      ...Bounds,
    ]
  ) => number;
  readonly distances: (from: number, row: number, rows: number, found: number) => void;
}
type Bounds = [first: number, most: number, found: number];

/** bit-distances.wat, compiled: counts the bits of eight bytes at a time, which JavaScript cannot do. */
const code = new WasmCode<BitFunctions>(
  'AGFzbQEAAAABNQVgCX9/f39/f39/fwF/YAd/f39/f39/AX9gCn9/f39/f39/f38Bf2AEf39/fwBgA39/fwF/AgwBAAZtZW1vcnkCAAEDBgUAAQID' +
    'BAchAwRzY2FuAAAKc2Nhbl9jZWxscwACCWRpc3RhbmNlcwADCocEBakBAgR+A38gCCEPIAQgBU8EQCAIDwsgACADQQV0aiEOIA4pAwAhCSAOKQMI' +
    'IQogDikDECELIA4pAxghDCAAIARBBXRqIQ4DQCAJIA4pAwCFeyAKIA4pAwiFe3wgCyAOKQMQhXsgDCAOKQMYhXt8fKchDSAPIAQ2AgAgDyANIAZN' +
    'QQJ0aiEPIA5BIGohDiAEQQFqIgQgBUkNAAsgACABIAIgAyAIIA8gBxABC24BBX8gBCELIAAgA0EFdGohByABIAMgAmxqIQgCQANAIAQgBU8NASAE' +
    'KAIAIQkgByAAIAlBBXRqQSAQBCAIIAEgCSACbGogAhAEaiEKIAsgCTYCACALIAogBk1BAnRqIQsgBEEEaiEEDAALCyALCz4BAX8DQCAGIAQoAgBB' +
    'AnRqIQogACABIAIgAyAKKAIAIAooAgQgByAIIAkQACEJIARBBGoiBCAFSQ0ACyAJC28CBH4BfyADIAJBAnRqIQggACkDACEEIAApAwghBSAAKQMQ' +
    'IQYgACkDGCEHA0AgAyAEIAEpAwCFeyAFIAEpAwiFe3wgBiABKQMQhXsgByABKQMYhXt8fKc2AgAgAUEgaiEBIANBBGoiAyAIRw0ACws8AQJ/IAAg' +
    'AmohBAJAA0AgACAETw0BIAMgACkDACABKQMAhXunaiEDIABBCGohACABQQhqIQEMAAsLIAML',
);

/** In how many bits two rows may differ: of their heads, and in all. */
export interface BitBounds {
  readonly first: number;
  readonly most: number;
}

const headBytes = 32;
export const headBits = headBytes * 8;
/** How many standard deviations more bits may differ than expected; few pairs differ in more. */
const tolerance = 3;
/** Bits of a part of the numbers scatter more. */
const firstTolerance = 4;

/** In how many bits, of so many, two rows may differ whose cosine is at least this. */
export function boundsFor(cosine: number, allBits: number): BitBounds {
  const differing = Math.acos(Math.max(-1, Math.min(1, cosine))) / Math.PI;
  const boundOf = (bits: number, deviations: number) =>
    Math.ceil(bits * differing + deviations * Math.sqrt(bits * differing * (1 - differing)) + 1);
  return { first: boundOf(headBits, firstTolerance), most: boundOf(allBits, tolerance) };
}

/** Rows of bits, in the memory of what compares them. */
export class BitRows {
  readonly #functions: BitFunctions;
  readonly rows: number;
  readonly #tail: number;
  readonly #bits: Uint32Array;
  readonly #tailsAt: number;
  readonly #found: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #probes: Uint32Array;

  /**
   * @param words Of 64 bits in each row, at least four.
   * @param starts Of cells, the first row of each, and the one after the last.
   */
  constructor(rows: number, words: number, starts: Uint32Array = new Uint32Array()) {
    this.rows = rows;
    this.#tail = words * 8 - headBytes;
    // One row more than there are, for bits from elsewhere.
    this.#tailsAt = (rows + 1) * headBytes;
    const foundAt = this.#tailsAt + (rows + 1) * this.#tail;
    const startsAt = foundAt + rows * 4;
    const probesAt = startsAt + starts.byteLength;
    const memory = createMemory(probesAt + starts.byteLength);
    this.#functions = code.functionsOn(memory);
    this.#bits = new Uint32Array(memory.buffer, 0, foundAt / 4);
    this.#found = new Uint32Array(memory.buffer, foundAt, rows);
    this.#starts = new Uint32Array(memory.buffer, startsAt, starts.length);
    this.#starts.set(starts);
    this.#probes = new Uint32Array(memory.buffer, probesAt, starts.length);
  }

  put(row: number, bits: Uint32Array): void {
    const head = headBytes / 4;
    this.#bits.set(bits.subarray(0, head), row * head);
    this.#bits.set(bits.subarray(head), (this.#tailsAt + row * this.#tail) / 4);
  }

  /** The rows from `from` on that are near to a row. Like those below, valid until the next call. */
  near(row: number, from: number, { first, most }: BitBounds): Uint32Array {
    const end = this.#functions.scan(
      ...([0, this.#tailsAt, this.#tail, row, from, this.rows] as const),
      ...([first, most, this.#found.byteOffset] as const),
    );
    return this.#foundUntil(end);
  }

  /** The rows of these cells that are near to a row. */
  nearInCells(row: number, cells: Uint32Array, { first, most }: BitBounds): Uint32Array {
    this.#probes.set(cells);
    const { byteOffset } = this.#probes;
    const end = this.#functions.scan_cells(
      ...([0, this.#tailsAt, this.#tail, row] as const),
      ...([byteOffset, byteOffset + cells.length * 4, this.#starts.byteOffset] as const),
      ...([first, most, this.#found.byteOffset] as const),
    );
    return this.#foundUntil(end);
  }

  /** In how many bits of its head each row differs from these bits. */
  distances(bits: Uint32Array): Uint32Array {
    this.put(this.rows, bits);
    this.#functions.distances(this.rows * headBytes, 0, this.rows, this.#found.byteOffset);
    return this.#found;
  }

  #foundUntil(end: number): Uint32Array {
    return this.#found.subarray(0, (end - this.#found.byteOffset) / 4);
  }
}
