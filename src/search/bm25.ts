/** A text as its words, repeats included. */
export interface RankedText {
  readonly words: readonly string[];
}

export interface Statistics {
  /** How many texts there are in all. */
  readonly total: number;
  /** How many of them have each word of the query. */
  readonly frequency: ReadonlyMap<string, number>;
}

const saturation = 1.2;
const lengthWeight = 0.75;

/** The BM25 score of each text for the query's words. */
export function bm25(
  query: readonly string[],
  texts: readonly RankedText[],
  statistics: Statistics,
): number[] {
  const length = texts.reduce((sum, text) => sum + text.words.length, 0) / Math.max(1, texts.length);
  const weights = query.map((word) => ({
    word,
    weight: rarity(statistics.frequency.get(word) ?? 0, statistics.total),
  }));
  return texts.map(({ words }) => {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const norm = saturation * (1 - lengthWeight + (lengthWeight * words.length) / Math.max(1, length));
    let score = 0;
    for (const { word, weight } of weights) {
      const times = counts.get(word) ?? 0;
      score += (weight * times * (saturation + 1)) / (times + norm);
    }
    return score;
  });
}

function rarity(frequency: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - frequency) + 0.5) / (frequency + 0.5));
}
