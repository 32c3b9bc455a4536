import { countPendingObservations } from '../embedding/embedding-coverage.js';
import type { SearchContext } from '../search-context.js';
import type { SemanticHits } from './semantic-hits.js';

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
