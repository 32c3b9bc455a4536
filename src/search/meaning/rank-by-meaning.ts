import type { SearchContext } from '../context.js';
import type { Embedder } from '../embedders/embedder.js';
import { spacesOf } from '../embedding/spaces.js';
import type { Within } from '../text/candidates.js';
import type { RankedText } from '../text/rank-texts.js';

/** A text near to the query, and the perspective from which it is nearest. */
export interface MeantText extends RankedText {
  readonly perspective: string;
}

/** The texts nearest to the query from any perspective, best first. Throws if the embedder does not work. */
export async function rankByMeaning(
  { reader, embedder, perspectives }: SearchContext & { readonly embedder: Embedder },
  query: string,
  within: Within & { readonly limit: number },
): Promise<MeantText[]> {
  const best = new Map<string, MeantText>();
  const spaces = await spacesOf(embedder, perspectives);
  const vectors = await Promise.all(
    spaces.map(({ perspective }) => embedder.embed([query], 'query', perspective)),
  );
  for (const [at, { space, perspective }] of spaces.entries()) {
    const vector = vectors[at]?.[0];
    if (vector === undefined) continue;
    for (const near of await reader.nearTexts(space, vector, within)) {
      const key = `${near.node}/${near.ordinal}`;
      const known = best.get(key);
      if (known === undefined || known.score < near.score) {
        best.set(key, { ...near, perspective: perspective.name });
      }
    }
  }
  return [...best.values()].sort(
    (a, b) => b.score - a.score || a.node - b.node || (a.ordinal ?? 0) - (b.ordinal ?? 0),
  );
}
