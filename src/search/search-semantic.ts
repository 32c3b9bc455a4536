import type { RedactableText } from '../model/error.js';
import type { Reader } from '../store/reader.js';
import { pendingObservations } from './embedding/embedding-coverage.js';
import { nothingEmbedded } from './embedding/embedding-spaces.js';
import { hitsPage, pageEnd, type SearchRequest, type SemanticHits } from './search-hits.js';
import { searchObservations } from './search-ranked.js';
import type { QueryVector, SearchContext } from './semantic/query-embedding.js';
import { rankBySimilarity, type SimilarText } from './semantic/rank-by-similarity.js';
import type { RankedTexts } from './text/rank-texts.js';

/** A node may have several of the nearest texts, so a list of nodes needs more texts. */
const textsPerNode = 5;
/** The factor for reading more when those were of too few nodes. */
const growth = 4;
/** A list of nodes ends after this many texts, however few nodes they are of. */
const maxTexts = 3_000;

/** The texts nearest in meaning to the query; falls back to text search, and says so. */
export async function searchSemantic(
  context: SearchContext,
  query: string,
  request: SearchRequest = {},
): Promise<SemanticHits> {
  const { reader, queryEmbedding } = context;
  if (!queryEmbedding.known) return fallBackToText(context, query, request, queryEmbedding.reason);
  const meant = await nearestTexts(reader, queryEmbedding.vectors, request);
  if (meant.ranked.length === 0) return fallBackToText(context, query, request, nothingEmbedded);
  return { ...(await hitsPage(reader, meant, request)), ...(await pendingObservations(context)) };
}

/** As many as the page needs, and one more if there is one. */
async function nearestTexts(
  reader: Reader,
  vectors: readonly QueryVector[],
  request: SearchRequest,
): Promise<RankedTexts<SimilarText>> {
  const { types, node, perNode } = request;
  const end = pageEnd(request);
  for (let limit = end * (perNode ? textsPerNode : 1) + 1; ; limit *= growth) {
    const ranked = await rankBySimilarity(reader, vectors, { types, node, limit });
    const found = { ranked, nodes: new Map() };
    if (!perNode || ranked.length < limit) return found;
    const nodes = new Set(ranked.map((text) => text.node)).size;
    if (nodes > end || nodes >= (await reader.wordStatistics([])).nodes) return found;
    if (limit >= maxTexts) return { ...found, missing: fewNodesWarning(limit, nodes) };
  }
}

function fewNodesWarning(texts: number, nodes: number): string {
  return `More nodes may be similar: only ${texts} texts of ${nodes} nodes were compared.`;
}

async function fallBackToText(
  context: SearchContext,
  query: string,
  request: SearchRequest,
  degraded: RedactableText,
): Promise<SemanticHits> {
  const { hits, ...next } = await searchObservations(context.reader, query, request);
  const pending = await pendingObservations(context);
  const nothingMissed = degraded === nothingEmbedded && hits.length === 0 && pending.waiting === undefined;
  return {
    hits: hits.map((hit) => ({ ...hit, perspective: null })),
    ...next,
    ...(nothingMissed ? {} : { degraded }),
  };
}
