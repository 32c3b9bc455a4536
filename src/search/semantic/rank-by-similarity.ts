import type { Reader } from '../../store/reader.js';
import type { NearText } from '../../store/vector-store.js';
import type { SearchScope } from '../text/candidates.js';
import type { RankedText } from '../text/rank-texts.js';
import type { QueryVector } from './query-embedding.js';

/** With the perspective from which it is nearest. */
export interface SimilarText extends RankedText {
  readonly perspective: string;
}

/** How many texts of each perspective say how high its scores are in general. */
const baselineDepth = 100;

/**
 * The texts nearest to the query from any perspective, best first. An instruction that is part of every text raises all
 * cosines of its perspective, the longer the more: what it adds beyond the perspective with the lowest is taken away.
 */
export async function rankBySimilarity(
  reader: Reader,
  query: readonly QueryVector[],
  within: SearchScope & { readonly limit: number },
): Promise<SimilarText[]> {
  const several = query.length > 1;
  const limit = several ? Math.max(within.limit, baselineDepth) : within.limit;
  const lists: { readonly perspective: string; readonly near: readonly NearText[] }[] = [];
  for (const { space, perspective, vector } of query) {
    lists.push({ perspective, near: await reader.nearTexts(space, vector, { ...within, limit }) });
  }
  const baselines = lists.map(({ near }) => meanScore(near.slice(0, baselineDepth)));
  const lowest = Math.min(...baselines);
  const best = new Map<string, SimilarText>();
  for (const [at, { perspective, near }] of lists.entries()) {
    const added = several ? (baselines[at] ?? 0) - lowest : 0;
    for (const text of near) {
      const key = `${text.node}/${text.ordinal}`;
      const score = text.score - added;
      const known = best.get(key);
      if (known === undefined || known.score < score) best.set(key, { ...text, perspective, score });
    }
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || a.node - b.node || (a.ordinal ?? 0) - (b.ordinal ?? 0))
    .slice(0, within.limit);
}

function meanScore(texts: readonly NearText[]): number {
  return texts.reduce((sum, { score }) => sum + score, 0) / Math.max(1, texts.length);
}
