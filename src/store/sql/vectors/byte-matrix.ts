import { compileMultiply, type MultiplyRows } from './dot-products.js';
import { createMemory, pageBytes } from './wasm-code.js';

/** Rows that are multiplied at once: their products stay in the processor's cache. */
const blockRows = 4_096;
/** By how much the memory grows, so that it does so rarely and little of it is unused. */
const growth = 1 / 8;

/** Rows of signed bytes that are multiplied with a query. In memory: the query, the products of a block, the rows. */
export class ByteMatrix {
  readonly #stride: number;
  readonly #products: number;
  readonly #start: number;
  readonly #memory: ReturnType<typeof createMemory>;
  readonly #multiply: MultiplyRows;

  /** @param multiply For tests. */
  constructor(columns: number, multiply: typeof compileMultiply = compileMultiply) {
    this.#stride = Math.ceil(columns / 16) * 16;
    this.#products = this.#stride * Int16Array.BYTES_PER_ELEMENT;
    this.#start = this.#products + blockRows * Int32Array.BYTES_PER_ELEMENT;
    this.#memory = createMemory(this.#start);
    this.#multiply = multiply(this.#memory);
  }

  /** For writing; the memory may move when another row is added. */
  row(at: number): Int8Array {
    const { buffer } = this.#memory;
    const offset = this.#start + at * this.#stride;
    const missing = offset + this.#stride - buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(Math.max(missing, buffer.byteLength * growth) / pageBytes));
    return new Int8Array(this.#memory.buffer, offset, this.#stride);
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
