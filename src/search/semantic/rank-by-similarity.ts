import type { Reader } from '../../store/reader.js';
import type { SearchScope } from '../text/candidates.js';
import type { RankedText } from '../text/rank-texts.js';
import type { QueryVector } from './query-embedding.js';

/** With the perspective from which it is nearest. */
export interface SimilarText extends RankedText {
  readonly perspective: string;
}

/** The texts nearest to the query from any perspective, best first. */
export async function rankBySimilarity(
  reader: Reader,
  query: readonly QueryVector[],
  within: SearchScope & { readonly limit: number },
): Promise<SimilarText[]> {
  const best = new Map<string, SimilarText>();
  for (const { space, perspective, vector } of query) {
    for (const near of await reader.nearTexts(space, vector, within)) {
      const key = `${near.node}/${near.ordinal}`;
      const known = best.get(key);
      if (known === undefined || known.score < near.score) best.set(key, { ...near, perspective });
    }
  }
  return [...best.values()].sort(
    (a, b) => b.score - a.score || a.node - b.node || (a.ordinal ?? 0) - (b.ordinal ?? 0),
  );
}
