import type { SimilarText } from '../semantic/rank-by-similarity.js';
import type { RankedText, TextsByWords } from '../text/rank-texts.js';

export interface FusedText extends RankedText {
  /** Null if it was found by its words alone. */
  readonly perspective: string | null;
}

/** A score that is this much higher makes a text e times as likely: by words a share of what the query could reach. */
const wordStep = 0.04;
const cosineStep = 0.15;
/** What words count that find a text with all of the query, beside a model of weight 1. */
const wordUnit = 9;
/** So that scores have the size of cosines. */
const scale = 10;

/**
 * Adds up how likely each text is by its words and by its meaning, best first. A list shares out what it counts: nearly
 * all to a text that stands out, little to each of many that are alike. Words count by how much of the query the best
 * text has, and meaning by the weight of the model: where words find little that is specific, meaning decides.
 */
export function fuseLists(
  { ranked, reach }: Pick<TextsByWords, 'ranked' | 'reach'>,
  byMeaning: readonly SimilarText[],
  meaningWeight: number,
): FusedText[] {
  const covered = reach > 0 ? Math.min(1, (ranked[0]?.score ?? 0) / reach) : 0;
  const byWords = shareOut(ranked, wordStep * reach, scale * wordUnit * covered);
  const meaningShare = shareOut(byMeaning, cosineStep, scale * meaningWeight);
  const meantOnly = new Map(byMeaning.map((meant) => [keyOf(meant), meant]));
  const nodes = new Set(byMeaning.map(({ node }) => node));
  const fused = ranked.map(({ node, ordinal, text, score }): FusedText => {
    // There are thousands of texts, and few of them are in both lists.
    const key = nodes.has(node) ? keyOf({ node, ordinal }) : undefined;
    const meant = key === undefined ? undefined : meantOnly.get(key);
    if (key === undefined || meant === undefined)
      return { node, ordinal, text, score: byWords(score), perspective: null };
    meantOnly.delete(key);
    return { ...meant, text, score: byWords(score) + meaningShare(meant.score) };
  });
  for (const meant of meantOnly.values()) fused.push({ ...meant, score: meaningShare(meant.score) });
  return fused.sort((a, b) => b.score - a.score);
}

/** What a score gets of a total that all texts of a list share. */
function shareOut(
  list: readonly Pick<RankedText, 'score'>[],
  step: number,
  total: number,
): (score: number) => number {
  const best = list[0]?.score ?? 0;
  const likelihood = (score: number) => Math.exp((score - best) / step);
  let sum = 0;
  for (const { score } of list) sum += likelihood(score);
  return (score) => (total * likelihood(score)) / sum;
}

function keyOf({ node, ordinal }: Pick<RankedText, 'node' | 'ordinal'>): string {
  return `${node}/${ordinal}`;
}
