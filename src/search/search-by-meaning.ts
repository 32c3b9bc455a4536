import type { SearchContext } from './context.js';
import { hitsPage, pageEnd, type SearchRequest } from './hits.js';
import { type MeaningHits, nothingEmbedded } from './meaning/meaning-hits.js';
import { rankByMeaning } from './meaning/rank-by-meaning.js';
import { stillWaiting } from './meaning/still-waiting.js';
import { searchObservations } from './search-observations.js';

/** A node may have several texts among the nearest, so a list of nodes needs more of them. */
const textsPerNode = 5;

/** The observations, names and summaries nearest in meaning to the query; from text, and says so, if that cannot be done. */
export async function searchByMeaning(
  context: SearchContext,
  query: string,
  request: SearchRequest = {},
): Promise<MeaningHits> {
  const { reader, meaning } = context;
  if (!meaning.known) return fromText(context, query, request, meaning.reason);
  const { types, node } = request;
  const limit = pageEnd(request) * (request.perNode ? textsPerNode : 1) + 1;
  const meant = await rankByMeaning(reader, meaning.vectors, { types, node, limit });
  if (meant.length === 0) return fromText(context, query, request, nothingEmbedded);
  return { ...(await hitsPage(reader, { ranked: meant, nodes: new Map() }, request)), ...(await stillWaiting(context)) };
}

/** The answer from text, with the reason for it, unless there is nothing to find anyway. */
async function fromText(
  { reader }: SearchContext,
  query: string,
  request: SearchRequest,
  degraded: string,
): Promise<MeaningHits> {
  const { hits, ...next } = await searchObservations(reader, query, request);
  const unfounded = degraded === nothingEmbedded && hits.length === 0;
  return {
    hits: hits.map((hit) => ({ ...hit, perspective: null })),
    ...next,
    ...(unfounded ? {} : { degraded }),
  };
}
