/** How strongly BM25 counts repeats, and how strongly it discounts long texts. */
export interface Bm25Settings {
  /** Higher: the second and third time a word occurs count more. */
  readonly saturation: number;
  /** From 0, length is ignored, to 1, it is fully discounted. */
  readonly lengthWeight: number;
  /** As how many more occurrences it counts that a word stands in the label of the text. Default: none. */
  readonly labelWeight?: number;
}

/** What BM25 needs to know of a text. */
export interface CountedText {
  /** How often each word of the query occurs, in the order of the query. */
  readonly times: readonly number[];
  /** In words. */
  readonly length: number;
  /** Which words of the query stand in its label, by their places in the query. */
  readonly labelled?: ReadonlySet<number>;
}

/** Scores texts for one query; `weights` are the rarities of its words. */
export class Bm25 {
  readonly #weights: readonly number[];
  readonly #averageLength: number;
  readonly #settings: Bm25Settings;

  constructor(weights: readonly number[], averageLength: number, settings: Bm25Settings) {
    this.#weights = weights;
    this.#averageLength = Math.max(1, averageLength);
    this.#settings = settings;
  }

  score({ times, length, labelled }: CountedText): number {
    const { saturation, lengthWeight, labelWeight = 0 } = this.#settings;
    const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / this.#averageLength);
    let score = 0;
    // Counted, since thousands of texts are scored for one search, and an iterator costs more than what it goes over.
    for (let index = 0; index < this.#weights.length; index++) {
      const count = (times[index] ?? 0) + (labelled?.has(index) ? labelWeight : 0);
      if (count > 0) score += ((this.#weights[index] ?? 0) * count * (saturation + 1)) / (count + norm);
    }
    return score;
  }
}

/** What a word is worth that so many of all texts have: never less than nothing. */
export function inverseDocumentFrequency(frequency: number, total: number): number {
  const within = Math.min(frequency, total);
  return Math.log(1 + (total - within + 0.5) / (within + 0.5));
}
