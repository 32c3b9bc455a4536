import { compileMultiply, type MultiplyRows } from './dot-products.js';
import { compileRows, type RowFunctions } from './quantize.js';
import { createMemory, pageBytes, writeVector } from './wasm-code.js';

/** Rows that are multiplied at once: their products stay in the processor's cache. */
const blockRows = 4_096;
/** By how much the memory grows, so that it does so rarely and little of it is unused. */
const growth = 1 / 8;

/** A vector that was written as bytes. */
interface WrittenRow {
  /** The number that became 127 or -127, without its sign; 0 if the row is 0. */
  readonly largest: number;
  /** The sum of the squares of its bytes. */
  readonly squares: number;
}

/**
 * Rows of signed bytes that are multiplied with a query, or added up. In memory: the query, the products of a block, the
 * vector that is written, the sum, the rows.
 */
export class ByteMatrix {
  readonly #columns: number;
  readonly #stride: number;
  readonly #products: number;
  readonly #vector: number;
  readonly #sum: number;
  readonly #start: number;
  readonly #memory: ReturnType<typeof createMemory>;
  readonly #multiply: MultiplyRows;
  readonly #rows: RowFunctions;

  /** @param multiply Like `rows`, for tests. */
  constructor(
    columns: number,
    multiply: typeof compileMultiply = compileMultiply,
    rows: typeof compileRows = compileRows,
  ) {
    this.#columns = columns;
    this.#stride = Math.ceil(columns / 16) * 16;
    this.#products = this.#stride * Int16Array.BYTES_PER_ELEMENT;
    this.#vector = this.#products + blockRows * Int32Array.BYTES_PER_ELEMENT;
    this.#sum = this.#vector + this.#stride * Float32Array.BYTES_PER_ELEMENT;
    this.#start = this.#sum + this.#stride * Float64Array.BYTES_PER_ELEMENT;
    this.#memory = createMemory(this.#start);
    this.#multiply = multiply(this.#memory);
    this.#rows = rows(this.#memory);
  }

  /** For reading and writing; it may move when another row is added. */
  row(at: number): Int8Array {
    const offset = this.#offsetOf(at);
    return new Int8Array(this.#memory.buffer, offset, this.#stride);
  }

  /** What `addToSum` has added up; it may move like a row. */
  get sum(): Float64Array {
    return new Float64Array(this.#memory.buffer, this.#sum, this.#columns);
  }

  /** Writes a vector as a row, in proportion to its largest number. One that has infinite numbers or NaN is written as 0. */
  put(at: number, vector: Float32Array): WrittenRow {
    const row = this.#offsetOf(at);
    const end = this.#sum;
    writeVector(vector, new Float32Array(this.#memory.buffer, this.#vector, this.#columns));
    const largest = this.#rows.largest(this.#vector, end);
    if (largest > 0 && largest < Number.POSITIVE_INFINITY)
      return { largest, squares: this.#rows.quantize(this.#vector, end, largest, row) };
    this.row(at).fill(0);
    return { largest: 0, squares: 0 };
  }

  addToSum(at: number, factor: number): void {
    const row = this.#offsetOf(at);
    this.#rows.add(row, row + this.#stride, factor, this.#sum);
  }

  /** Visits the products of rows with the query, up to a positive factor that is the same for all. */
  multiply(
    query: Float32Array,
    from: number,
    to: number,
    visit: (product: number, row: number) => void,
  ): void {
    this.#writeQuery(query);
    for (let first = from; first < to; first += blockRows) {
      const rows = Math.min(blockRows, to - first);
      this.#multiply(0, this.#start + first * this.#stride, rows, this.#stride, this.#products);
      const products = new Int32Array(this.#memory.buffer, this.#products, rows);
      for (let at = 0; at < rows; at++) visit(products[at] ?? 0, first + at);
    }
  }

  /** The products of one row with others, which take no other query meanwhile. */
  productsWith(row: number): (other: number) => number {
    const { buffer } = this.#memory;
    new Int16Array(buffer, 0, this.#stride).set(this.row(row));
    const product = new Int32Array(buffer, this.#products, 1);
    return (other) => {
      this.#multiply(0, this.#start + other * this.#stride, 1, this.#stride, this.#products);
      return product[0] ?? 0;
    };
  }

  /** Grows the memory if the row is beyond its end. */
  #offsetOf(at: number): number {
    const { byteLength } = this.#memory.buffer;
    const offset = this.#start + at * this.#stride;
    const missing = offset + this.#stride - byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(Math.max(missing, byteLength * growth) / pageBytes));
    return offset;
  }

  #writeQuery(query: Float32Array): void {
    const factors = new Int16Array(this.#memory.buffer, 0, this.#stride);
    let largest = 0;
    for (const value of query) largest = Math.max(largest, Math.abs(value));
    // So that no sum of products exceeds 32 bits.
    const most = Math.min(32_767, Math.floor(2 ** 31 / (128 * this.#stride)));
    const scale = largest === 0 ? 0 : most / largest;
    for (let axis = 0; axis < query.length; axis++) factors[axis] = Math.round((query[axis] ?? 0) * scale);
  }
}
