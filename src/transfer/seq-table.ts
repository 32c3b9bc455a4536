import { TrellisError } from '../model/error.js';

/** A number for each commit's seq, in 16 bytes: a long history must not fill the memory. */
export class SeqTable {
  readonly #seqs: number[] = [];
  readonly #values: number[] = [];

  /** Adds the value of a seq; quick if it is higher than any added before. */
  add(seq: number, value: number): void {
    const index = (this.#seqs.at(-1) ?? -1) < seq ? this.#seqs.length : this.#firstNotBelow(seq);
    this.#seqs.splice(index, 0, seq);
    this.#values.splice(index, 0, value);
  }

  /** The value of a seq that must be there: what is made in a commit cannot be older than the first one. */
  get(seq: number): number {
    const index = this.#firstNotBelow(seq);
    const value = this.#values[index];
    if (this.#seqs[index] === seq && value !== undefined) return value;
    throw new TrellisError('STORE_CORRUPT', `Something was made in commit ${seq}, which the history lacks.`, {
      hint: 'Run trellis doctor on the store.',
      details: { seq },
    });
  }

  #firstNotBelow(seq: number): number {
    let low = 0;
    let high = this.#seqs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#seqs[middle] ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
