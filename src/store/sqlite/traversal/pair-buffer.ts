/** Pairs of nodes, one after another, in an array that grows. */
export class PairBuffer {
  #numbers = new Int32Array(16_384);
  #length = 0;
  #last: readonly [number, number] = [-1, -1];

  get count(): number {
    return this.#length / 2;
  }

  get bytes(): number {
    return this.#numbers.byteLength;
  }

  /** Adds sorted pairs; repeats are left out. */
  add(starts: readonly number[], ends: readonly number[]): void {
    let [lastStart, lastEnd] = this.#last;
    for (let at = 0; at < starts.length; at++) {
      const [start = 0, end = 0] = [starts[at], ends[at]];
      if (start === lastStart && end === lastEnd) continue;
      if (this.#length + 2 > this.#numbers.length) this.#grow();
      this.#numbers[this.#length++] = start;
      this.#numbers[this.#length++] = end;
      lastStart = start;
      lastEnd = end;
    }
    this.#last = [lastStart, lastEnd];
  }

  toArray(): Int32Array {
    return this.#numbers.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#numbers.length);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
