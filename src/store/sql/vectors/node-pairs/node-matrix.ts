import { ByteMatrix } from '../byte-matrix.js';
import { VectorBits } from './vector-bits.js';

/** Adding and subtracting it rounds to an integer; Math.round has a branch, which would be wrong half of the time. */
const integerBias = 1.5 * 2 ** 52;

/** The vectors of nodes, one byte for each number, and their bits. */
export class NodeMatrix {
  readonly bytes: ByteMatrix;
  readonly words: number;
  readonly #bits: VectorBits;
  readonly #sum: Float64Array;
  readonly #places = new Map<number, number>();
  readonly #free: number[] = [];
  #count = 0;
  #allBits: Uint32Array;
  /** One divided by the length of each row of bytes. */
  #factors = new Float32Array(1_024);

  constructor(dimension: number) {
    this.bytes = new ByteMatrix(dimension);
    this.#bits = new VectorBits(dimension);
    this.words = this.#bits.words;
    this.#allBits = new Uint32Array(1_024 * this.words * 2);
    this.#sum = new Float64Array(dimension);
  }

  get size(): number {
    return this.#places.size;
  }

  /** The mean cosine of all pairs: what an instruction that is part of every text raises. */
  get meanCosine(): number {
    if (this.size < 2) return 0;
    const square = this.#sum.reduce((total, value) => total + value * value, 0);
    return (square - this.size) / (this.size * (this.size - 1));
  }

  /** Nodes and their places, by node. */
  inOrder(): readonly (readonly [node: number, place: number])[] {
    return [...this.#places].sort(([a], [b]) => a - b);
  }

  bitsOf(place: number): Uint32Array {
    return this.#allBits.subarray(place * this.words * 2, (place + 1) * this.words * 2);
  }

  factorOf(place: number): number {
    return this.#factors[place] ?? 0;
  }

  /** A vector of nothing is near to nothing, and left out. */
  put(node: number, vector: Float32Array): void {
    this.remove(node);
    let largest = 0;
    for (let axis = 0; axis < vector.length; axis++) largest = Math.max(largest, Math.abs(vector[axis] ?? 0));
    if (largest === 0 || !Number.isFinite(largest)) return;
    const place = this.#free.pop() ?? this.#count++;
    if (place >= this.#factors.length) this.#grow();
    this.#places.set(node, place);
    const row = this.bytes.row(place);
    const scale = 127 / largest;
    let squares = 0;
    for (let axis = 0; axis < vector.length; axis++) {
      const byte = (vector[axis] ?? 0) * scale + integerBias - integerBias;
      row[axis] = byte;
      squares += byte * byte;
    }
    this.#factors[place] = 1 / Math.sqrt(squares);
    this.#addToSum(row, this.factorOf(place));
    this.#bits.write(vector, this.bitsOf(place));
  }

  remove(node: number): void {
    const place = this.#places.get(node);
    if (place === undefined) return;
    this.#addToSum(this.bytes.row(place), -this.factorOf(place));
    this.#places.delete(node);
    this.#free.push(place);
  }

  #addToSum(row: Int8Array, factor: number): void {
    const sum = this.#sum;
    for (let axis = 0; axis < sum.length; axis++) sum[axis] = (sum[axis] ?? 0) + (row[axis] ?? 0) * factor;
  }

  #grow(): void {
    const factors = new Float32Array(this.#factors.length * 2);
    factors.set(this.#factors);
    this.#factors = factors;
    const bits = new Uint32Array(this.#allBits.length * 2);
    bits.set(this.#allBits);
    this.#allBits = bits;
  }
}
