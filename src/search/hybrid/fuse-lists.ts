import type { SimilarText } from '../semantic/rank-by-similarity.js';
import type { RankedText, TextsByWords } from '../text/rank-texts.js';

export interface FusedText extends RankedText {
  /** Null if it was found by its words alone. */
  readonly perspective: string | null;
}

/** Texts by words further down than this are the background that the best one is compared with. */
const backgroundRank = 50;
/** What a cosine of 1 counts with a model of weight 1, beside a text with every word of a query that nothing else has. */
const meaningUnit = 0.001;

/**
 * Adds up what words and meaning say of each text, best first. A score by words counts as a share of what the query
 * could reach, times the square of how far the best text is above the background: where words find little that is
 * specific, meaning decides. A cosine counts by how far it is above that of the last text by meaning, times the weight of
 * the model.
 */
export function fuseLists(
  { ranked, reach }: Pick<TextsByWords, 'ranked' | 'reach'>,
  byMeaning: readonly SimilarText[],
  meaningWeight: number,
): FusedText[] {
  const lead = (ranked[0]?.score ?? 0) - (ranked[backgroundRank - 1]?.score ?? 0);
  const wordFactor = reach > 0 ? Math.min(1, lead / reach) ** 2 / reach : 0;
  const floor = byMeaning.at(-1)?.score ?? 0;
  const fused = new Map<string, FusedText>();
  for (const text of ranked) {
    fused.set(keyOf(text), { ...text, perspective: null, score: wordFactor * text.score });
  }
  for (const meant of byMeaning) {
    const known = fused.get(keyOf(meant));
    const score = (known?.score ?? 0) + meaningUnit * meaningWeight * (meant.score - floor);
    fused.set(keyOf(meant), { ...meant, text: known?.text ?? meant.text, score });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

function keyOf({ node, ordinal }: RankedText): string {
  return `${node}/${ordinal}`;
}
