import { ByteMatrix } from '../byte-matrix.js';
import { VectorBits } from './vector-bits.js';

/**
 * The vectors of nodes, one byte for each number, and their bits. Of nodes that were saved earlier only the bits are
 * known, until their vectors are needed.
 */
export class NodeMatrix {
  readonly words: number;
  readonly dimension: number;
  readonly #bytes: ByteMatrix;
  readonly #bits: VectorBits;
  readonly #places = new Map<number, number>();
  readonly #free: number[] = [];
  #count = 0;
  #allBits: Uint32Array;
  /** The bits of a vector, compared with those of a saved node. */
  readonly #compared: Uint32Array;
  /** One divided by the length of each row of bytes; 0 if the vector is not known. */
  #factors = new Float32Array(1_024);
  #unknown = 0;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.#bytes = new ByteMatrix(dimension);
    this.#bits = new VectorBits(dimension);
    this.words = this.#bits.words;
    this.#allBits = new Uint32Array(1_024 * this.words * 2);
    this.#compared = new Uint32Array(this.words * 2);
  }

  get size(): number {
    return this.#places.size;
  }

  /** The sum of all vectors, each of length 1. */
  get sum(): Float64Array {
    return this.#bytes.sum.slice();
  }

  /** The mean cosine of all pairs: what an instruction that is part of every text raises. */
  get meanCosine(): number {
    return meanCosineOf(this.#bytes.sum, this.size);
  }

  /** Nodes and their places, by node. */
  inOrder(): readonly (readonly [node: number, place: number])[] {
    return [...this.#places].sort(([a], [b]) => a - b);
  }

  placeOf(node: number): number | undefined {
    return this.#places.get(node);
  }

  bitsOf(place: number): Uint32Array {
    return this.#allBits.subarray(place * this.words * 2, (place + 1) * this.words * 2);
  }

  hasVector(place: number): boolean {
    return this.#factorOf(place) !== 0;
  }

  /** The cosines of one node with others; both vectors must be known. */
  cosinesWith(place: number): (other: number) => number {
    const product = this.#bytes.productsWith(place);
    const factor = this.#factorOf(place);
    return (other) => product(other) * factor * this.#factorOf(other);
  }

  /** Nodes from this one on whose vectors are not known, in order and at most so many. */
  withoutVector(from: number, most: number): number[] {
    if (this.#unknown === 0) return [];
    const found = [...this.#places].flatMap(([node, place]) =>
      node >= from && !this.hasVector(place) ? [node] : [],
    );
    return found.sort((a, b) => a - b).slice(0, most);
  }

  /** A vector of nothing is near to nothing, and left out. */
  put(node: number, vector: Float32Array): void {
    this.remove(node);
    const place = this.#takePlace(node);
    if (!this.#setBytes(place, vector)) {
      this.#leave(node, place);
      return;
    }
    this.#bytes.addToSum(place, this.#factorOf(place));
    this.#bits.write(vector, this.bitsOf(place));
  }

  /** Adds a node that was saved earlier, and is part of the saved sum. */
  putSaved(node: number, bits: Uint32Array): void {
    this.bitsOf(this.#takePlace(node)).set(bits);
    this.#unknown += 1;
  }

  setSum(sum: Float64Array): void {
    this.#bytes.sum.set(sum);
  }

  /** Adds the vector of a saved node; returns false if it has another one by now. */
  fill(node: number, vector: Float32Array): boolean {
    const place = this.#places.get(node);
    if (place === undefined) return false;
    if (this.hasVector(place)) return true;
    this.#bits.write(vector, this.#compared);
    if (!isEqual(this.#compared, this.bitsOf(place)) || !this.#setBytes(place, vector)) return false;
    this.#unknown -= 1;
    return true;
  }

  remove(node: number): void {
    const place = this.#places.get(node);
    if (place === undefined) return;
    if (this.hasVector(place)) {
      this.#bytes.addToSum(place, -this.#factorOf(place));
    } else {
      // What it added is not known; the mean is the best guess.
      const left = 1 - 1 / this.size;
      const { sum } = this.#bytes;
      for (let axis = 0; axis < sum.length; axis++) sum[axis] = (sum[axis] ?? 0) * left;
      this.#unknown -= 1;
    }
    this.#leave(node, place);
  }

  #factorOf(place: number): number {
    return this.#factors[place] ?? 0;
  }

  #takePlace(node: number): number {
    const place = this.#free.pop() ?? this.#count++;
    if (place >= this.#factors.length) this.#grow();
    this.#places.set(node, place);
    this.#factors[place] = 0;
    return place;
  }

  #leave(node: number, place: number): void {
    this.#places.delete(node);
    this.#free.push(place);
  }

  /** Returns false if it is a vector of nothing. */
  #setBytes(place: number, vector: Float32Array): boolean {
    const { squares } = this.#bytes.put(place, vector);
    this.#factors[place] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    return squares > 0;
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

export function meanCosineOf(sum: Float64Array, size: number): number {
  if (size < 2) return 0;
  const square = sum.reduce((total, value) => total + value * value, 0);
  return (square - size) / (size * (size - 1));
}

function isEqual(one: Uint32Array, other: Uint32Array): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
