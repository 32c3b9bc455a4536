/** After this many numbers, check whether the rest can still make two vectors similar enough. */
const blockSize = 20;
/** Rounding must not exclude a pair that is exactly similar enough. */
const roundedUp = 1 + 1e-6;

/** Vectors in one piece of memory, by index: with millions of comparisons, that dominates the cost. */
export class VectorTable {
  readonly size: number;
  readonly dimension: number;
  readonly #numbers: Float32Array;
  readonly #stretches: number;
  /** The length of the rest of each vector after each block. */
  readonly #rests: Float32Array;

  constructor(size: number, dimension: number) {
    this.size = size;
    this.dimension = dimension;
    this.#stretches = Math.floor(dimension / blockSize);
    this.#numbers = new Float32Array(size * dimension);
    this.#rests = new Float32Array(size * this.#stretches);
  }

  put(place: number, vector: Float32Array): void {
    this.#numbers.set(vector, place * this.dimension);
    let squares = 0;
    for (let axis = this.dimension - 1; axis >= 0; axis--) {
      const end = axis + 1;
      if (end % blockSize === 0)
        this.#rests[place * this.#stretches + end / blockSize - 1] = Math.sqrt(squares) * roundedUp;
      squares += (vector[axis] ?? 0) ** 2;
    }
  }

  /**
   * The dot product, which is the cosine of unit vectors. A result below `least` is only a bound: the rest of a product
   * is at most the product of the lengths of the rests, so most pairs are excluded by their beginnings.
   */
  product(a: number, b: number, least: number): number {
    const numbers = this.#numbers;
    const rests = this.#rests;
    const end = (a + 1) * this.dimension;
    let x = a * this.dimension;
    let y = b * this.dimension;
    let restOfX = a * this.#stretches;
    let restOfY = b * this.#stretches;
    let sum = 0;
    while (x + blockSize <= end) {
      // Four sums, because each addition would have to wait for the one before.
      let first = 0;
      let second = 0;
      let third = 0;
      let fourth = 0;
      for (const stop = x + blockSize; x < stop; x += 4, y += 4) {
        first += (numbers[x] ?? 0) * (numbers[y] ?? 0);
        second += (numbers[x + 1] ?? 0) * (numbers[y + 1] ?? 0);
        third += (numbers[x + 2] ?? 0) * (numbers[y + 2] ?? 0);
        fourth += (numbers[x + 3] ?? 0) * (numbers[y + 3] ?? 0);
      }
      sum += first + second + (third + fourth);
      const most = sum + (rests[restOfX++] ?? 0) * (rests[restOfY++] ?? 0);
      if (most < least) return most;
    }
    for (; x < end; x++, y++) sum += (numbers[x] ?? 0) * (numbers[y] ?? 0);
    return sum;
  }

  /** How far each vector lies in the direction from one to another, by these axes alone. */
  project(places: Uint32Array, from: number, to: number, axes: AxisRange): Float64Array {
    const numbers = this.#numbers;
    const direction = Float64Array.from(
      { length: axes.count },
      (_, axis) => this.#at(to, axes.first + axis) - this.#at(from, axes.first + axis),
    );
    const distances = new Float64Array(places.length);
    for (let index = 0; index < places.length; index++) {
      const start = (places[index] ?? 0) * this.dimension + axes.first;
      let sum = 0;
      for (let axis = 0; axis < axes.count; axis++)
        sum += (numbers[start + axis] ?? 0) * (direction[axis] ?? 0);
      distances[index] = sum;
    }
    return distances;
  }

  #at(place: number, axis: number): number {
    return this.#numbers[place * this.dimension + axis] ?? 0;
  }
}

/** Adjacent axes. */
interface AxisRange {
  readonly first: number;
  readonly count: number;
}
