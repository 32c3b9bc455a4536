import type { SearchContext } from '../context.js';
import { observationsWaiting } from '../embedding/coverage.js';
import type { MeaningHits } from './meaning-hits.js';

/** What an answer has to say of texts that could not be looked at; they are counted only if there may be some. */
export async function stillWaiting({
  reader,
  meaning,
}: SearchContext): Promise<Pick<MeaningHits, 'waiting'>> {
  if (!meaning.known || !meaning.backlog) return {};
  const waiting = await observationsWaiting(
    reader,
    meaning.vectors.map(({ space }) => space),
  );
  return waiting > 0 ? { waiting } : {};
}
