import type { SimilarText } from '../semantic/rank-by-similarity.js';
import type { RankedText, TextsByWords } from '../text/rank-texts.js';

export interface FusedText extends RankedText {
  /** Null if it was found by its words alone. */
  readonly perspective: string | null;
}

/** Texts by words further down than this are the background that the best one is compared with. */
const backgroundRank = 50;
/** What a text with every word of a query counts that nothing else has, beside a cosine of 1 with a model of weight 1. */
const wordUnit = 1_000;

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
  const wordFactor = reach > 0 ? (wordUnit * Math.min(1, lead / reach) ** 2) / reach : 0;
  const floor = byMeaning.at(-1)?.score ?? 0;
  const meaningScore = ({ score }: SimilarText) => meaningWeight * (score - floor);
  const meantOnly = new Map(byMeaning.map((meant) => [keyOf(meant), meant]));
  const nodes = new Set(byMeaning.map(({ node }) => node));
  const fused = ranked.map(({ node, ordinal, text, score }): FusedText => {
    // There are thousands of texts, and few of them are in both lists.
    const key = nodes.has(node) ? keyOf({ node, ordinal }) : undefined;
    const meant = key === undefined ? undefined : meantOnly.get(key);
    const byWords = wordFactor * score;
    if (key === undefined || meant === undefined)
      return { node, ordinal, text, score: byWords, perspective: null };
    meantOnly.delete(key);
    return { ...meant, text, score: byWords + meaningScore(meant) };
  });
  for (const meant of meantOnly.values()) fused.push({ ...meant, score: meaningScore(meant) });
  return fused.sort((a, b) => b.score - a.score);
}

function keyOf({ node, ordinal }: Pick<RankedText, 'node' | 'ordinal'>): string {
  return `${node}/${ordinal}`;
}
