import type { Reader } from '../../store/reader.js';
import type { VectorSpace } from '../../store/vector-store.js';
import type { SemanticHits } from '../search-hits.js';
import type { SearchContext } from '../semantic/query-embedding.js';
import type { KnownSpaces } from './embedding-spaces.js';

/** The share of observations with a vector for every perspective; 1 if there are no observations. */
export async function embeddingCoverage(reader: Reader, spaces: KnownSpaces): Promise<number> {
  const { observations } = await reader.counts();
  if (observations === 0) return 1;
  return spaces.known ? (await countEmbeddedInAll(reader, spaces.spaces)) / observations : 0;
}

/** Observations that lack a vector for some perspective. */
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

/** Counted only if there may be some. */
export async function pendingObservations({
  reader,
  queryEmbedding,
}: SearchContext): Promise<Pick<SemanticHits, 'waiting'>> {
  if (!queryEmbedding.known || !queryEmbedding.backlog) return {};
  const waiting = await countPendingObservations(
    reader,
    queryEmbedding.vectors.map(({ space }) => space),
  );
  return waiting > 0 ? { waiting } : {};
}
