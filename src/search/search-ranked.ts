import { withFacts } from '../engine/read/facts.js';
import type { ListRequest } from '../engine/read/list-nodes.js';
import type { PageRequest } from '../engine/read/page.js';
import type { Subgraph } from '../engine/specs.js';
import type { Reader } from '../store/reader.js';
import { hitsPage, type SearchHits, type SearchRequest, type SemanticHits } from './search-hits.js';
import { QueryWords } from './text/query-words.js';
import { rankTexts } from './text/rank-texts.js';

/** Best first, with what may be missing from it. */
interface FoundSubgraph extends Subgraph, Omit<SemanticHits, 'hits' | 'nextCursor'> {}

type FindHits = (
  reader: Reader,
  request: SearchRequest,
) => Promise<SearchHits & Omit<SemanticHits, 'hits' | 'nextCursor'>>;

/** The nodes that a search finds, each ranked by its best text, with their facts and edges. */
export async function searchSubgraph(
  reader: Reader,
  find: FindHits,
  { limit, cursor, types }: ListRequest & Pick<PageRequest, 'types'>,
): Promise<FoundSubgraph> {
  const { hits, ...next } = await find(reader, { limit, cursor, types, perNode: true });
  const nodes = hits.map(({ node }) => node);
  return {
    nodes: await withFacts(reader, nodes),
    edges: await reader.edgesOf(nodes.map(({ id }) => id)),
    ...next,
  };
}

/** Nodes with any word of the query, ranked by the best text of each in its context. */
export function searchRanked(
  reader: Reader,
  query: string,
  request: ListRequest & Pick<PageRequest, 'types'>,
): Promise<FoundSubgraph> {
  return searchSubgraph(reader, (_, hits) => searchObservations(reader, query, hits), request);
}

/** Observations, names and summaries with any word of the query, each ranked in its context. */
export async function searchObservations(
  reader: Reader,
  query: string,
  request: SearchRequest = {},
): Promise<SearchHits> {
  return hitsPage(reader, await rankTexts(reader, new QueryWords(query), request), request);
}
