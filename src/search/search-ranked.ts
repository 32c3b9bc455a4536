import { withFacts } from '../engine/read/facts.js';
import type { ListRequest } from '../engine/read/list-nodes.js';
import type { PageRequest } from '../engine/read/page.js';
import type { Subgraph } from '../engine/specs.js';
import type { Reader } from '../store/reader.js';
import { hitsPage, type SearchHits, type SearchRequest } from './search-hits.js';
import { QueryWords } from './text/query-words.js';
import { rankTexts } from './text/rank-texts.js';

interface RankedSubgraph extends Subgraph {
  /** On the last page: what may be missing, and why. */
  readonly missing?: string;
}

/** Nodes with any word of the query, ranked by the best text of each in its context. */
export async function searchRanked(
  reader: Reader,
  query: string,
  { limit, cursor, types }: ListRequest & Pick<PageRequest, 'types'>,
): Promise<RankedSubgraph> {
  const { hits, ...next } = await searchObservations(reader, query, {
    ...{ limit, cursor, types },
    perNode: true,
  });
  const nodes = hits.map(({ node }) => node);
  return {
    nodes: await withFacts(reader, nodes),
    edges: await reader.edgesOf(nodes.map(({ id }) => id)),
    ...next,
  };
}

/** Observations, names and summaries with any word of the query, each ranked in its context. */
export async function searchObservations(
  reader: Reader,
  query: string,
  request: SearchRequest = {},
): Promise<SearchHits> {
  return hitsPage(reader, await rankTexts(reader, new QueryWords(query), request), request);
}
