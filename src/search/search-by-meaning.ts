import { limits } from '../model/limits.js';
import { checkText } from '../model/text.js';
import type { SearchContext } from './context.js';
import { hitsPage, pageEnd, type SearchRequest } from './hits.js';
import { type MeaningHits, noEmbedder, nothingEmbedded, reasonOf } from './meaning/meaning-hits.js';
import { type MeantText, rankByMeaning } from './meaning/rank-by-meaning.js';
import { searchObservations } from './search-observations.js';

/** A node may have several texts among the nearest, so a list of nodes needs more of them. */
const textsPerNode = 5;

/** The observations, names and summaries nearest in meaning to the query; from text, and says so, if that cannot be done. */
export async function searchByMeaning(
  context: SearchContext,
  query: string,
  request: SearchRequest = {},
): Promise<MeaningHits> {
  checkText(query, 'The query', limits.queryLength);
  const { reader, embedder } = context;
  if (embedder === null) return fromText(context, query, request, noEmbedder);
  let meant: MeantText[];
  try {
    const { types, node } = request;
    const limit = pageEnd(request) * (request.perNode ? textsPerNode : 1) + 1;
    meant = await rankByMeaning({ ...context, embedder }, query, { types, node, limit });
  } catch (error) {
    return fromText(context, query, request, reasonOf(error));
  }
  if (meant.length === 0) return fromText(context, query, request, nothingEmbedded);
  return hitsPage(reader, meant, new Map(), request);
}

/** The answer from text, with the reason for it, unless there is nothing to find anyway. */
async function fromText(
  context: SearchContext,
  query: string,
  request: SearchRequest,
  degraded: string,
): Promise<MeaningHits> {
  const { hits, ...next } = await searchObservations(context, query, request);
  const unfounded = degraded === nothingEmbedded && hits.length === 0;
  return {
    hits: hits.map((hit) => ({ ...hit, perspective: null })),
    ...next,
    ...(unfounded ? {} : { degraded }),
  };
}
