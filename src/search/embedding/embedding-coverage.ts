import type { Reader } from '../../store/reader.js';
import type { VectorSpace } from '../../store/vector-store.js';
import type { KnownSpaces } from './known-spaces.js';

/** Which share of the observations can be searched by meaning, from every perspective: 1 if there are none. */
export async function embeddingCoverage(reader: Reader, spaces: KnownSpaces): Promise<number> {
  const { observations } = await reader.counts();
  if (observations === 0) return 1;
  return spaces.known ? (await countEmbeddedInAll(reader, spaces.spaces)) / observations : 0;
}

/** How many observations cannot be found by meaning yet, from one perspective or another. */
export async function countPendingObservations(
  reader: Reader,
  spaces: readonly VectorSpace[],
): Promise<number> {
  const { observations } = await reader.counts();
  return observations - (await countEmbeddedInAll(reader, spaces));
}

async function countEmbeddedInAll(reader: Reader, spaces: readonly VectorSpace[]): Promise<number> {
  const counts: number[] = [];
  for (const space of spaces) counts.push(await reader.countEmbedded(space));
  return counts.length === 0 ? 0 : Math.min(...counts);
}
