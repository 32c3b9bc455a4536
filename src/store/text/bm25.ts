export interface Bm25Settings {
  /** Higher: repeats of a word count more. */
  readonly saturation: number;
  /** From 0 (length is ignored) to 1 (fully discounted). */
  readonly lengthWeight: number;
}

export interface CountedText {
  /** For each word of the query, in its order. */
  readonly times: readonly number[];
  readonly length: number;
}

export class Bm25 {
  readonly #weights: readonly number[];
  readonly #averageLength: number;
  readonly #settings: Bm25Settings;

  constructor(weights: readonly number[], averageLength: number, settings: Bm25Settings) {
    this.#weights = weights;
    this.#averageLength = Math.max(1, averageLength);
    this.#settings = settings;
  }

  score({ times, length }: CountedText): number {
    const { saturation, lengthWeight } = this.#settings;
    const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / this.#averageLength);
    let score = 0;
    // A counted loop: a search scores thousands of texts, and an iterator costs more than its body.
    for (let index = 0; index < this.#weights.length; index++) {
      const count = times[index] ?? 0;
      if (count > 0) score += ((this.#weights[index] ?? 0) * count * (saturation + 1)) / (count + norm);
    }
    return score;
  }
}

export function inverseDocumentFrequency(frequency: number, total: number): number {
  const within = Math.min(frequency, total);
  return Math.log(1 + (total - within + 0.5) / (within + 0.5));
}
