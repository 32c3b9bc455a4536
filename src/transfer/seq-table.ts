import { TrellisError } from '../model/error.js';

/** Maps each seq to a number in 16 bytes, because a history may be long. */
export class SeqTable {
  readonly #seqs: number[] = [];
  readonly #values: number[] = [];

  /** Fast if the seq is higher than all before. */
  add(seq: number, value: number): void {
    const index = (this.#seqs.at(-1) ?? -1) < seq ? this.#seqs.length : this.#firstNotBelow(seq);
    this.#seqs.splice(index, 0, seq);
    this.#values.splice(index, 0, value);
  }

  get(seq: number): number {
    const index = this.#firstNotBelow(seq);
    const value = this.#values[index];
    if (this.#seqs[index] === seq && value !== undefined) return value;
    throw new TrellisError(
      'STORE_CORRUPT',
      `A row refers to commit ${seq}, which is missing from the history.`,
      { hint: 'Run trellis doctor on the store.', details: { seq } },
    );
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
