import { TimeSlice } from '../bounds/time-slice.js';
import { systemClock } from '../model/clock.js';
import { pendingObservations } from './embedding/embedding-coverage.js';
import { fuseLists } from './hybrid/fuse-lists.js';
import { lendToNeighbours } from './hybrid/lend-to-neighbours.js';
import { hitsPage, type SearchRequest, type SemanticHits } from './search-hits.js';
import type { SearchContext } from './semantic/query-embedding.js';
import { rankBySimilarity } from './semantic/rank-by-similarity.js';
import { QueryWords } from './text/query-words.js';
import { rankTexts } from './text/rank-texts.js';
import { preferTimes } from './time/prefer-times.js';
import { wantedTimes } from './time/wanted-times.js';

/** How many texts the list by meaning has. */
export const meaningDepth = 100;

/** Fuses the lists by words and by meaning, along relations, and prefers texts of the time that the query mentions. */
export async function searchHybrid(
  context: SearchContext,
  query: string,
  request: SearchRequest = {},
): Promise<SemanticHits> {
  const { reader, queryEmbedding, clock = systemClock } = context;
  const { types, node } = request;
  const slice = new TimeSlice();
  const found = await rankTexts(reader, new QueryWords(query), request);
  if (slice.isOver) await slice.yieldToOthers();
  const meant = queryEmbedding.known
    ? await rankBySimilarity(reader, queryEmbedding.vectors, { types, node, limit: meaningDepth })
    : [];
  const weight = queryEmbedding.known ? queryEmbedding.meaningWeight : 0;
  const fused = await lendToNeighbours(reader, fuseLists(found, meant, weight));
  const ranked = await preferTimes(reader, fused, await wantedTimes(reader, query, clock()));
  return {
    ...(await hitsPage(reader, { ...found, ranked }, request)),
    ...(queryEmbedding.known ? await pendingObservations(context) : { degraded: queryEmbedding.reason }),
  };
}
