import type { SearchContext } from '../context.js';
import { spacesOf } from './spaces.js';

/** Which share of the observations can be searched by meaning, from every perspective: 1 if there are none. */
export async function embeddingCoverage({ reader, embedder, perspectives }: SearchContext): Promise<number> {
  const { observations } = await reader.counts();
  if (observations === 0) return 1;
  if (embedder === null) return 0;
  try {
    const spaces = await spacesOf(embedder, perspectives);
    const counts: number[] = [];
    for (const { space } of spaces) counts.push(await reader.countEmbedded(space));
    return counts.length === 0 ? 0 : Math.min(...counts) / observations;
  } catch {
    // Without its embedder, not even the dimension of the vectors is known: none of them can be searched.
    return 0;
  }
}
