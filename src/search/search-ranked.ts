import { withFacts } from '../engine/read/facts.js';
import type { ListRequest } from '../engine/read/list-nodes.js';
import type { PageRequest } from '../engine/read/page.js';
import type { Subgraph } from '../engine/specs.js';
import type { Reader } from '../store/reader.js';
import { searchObservations } from './search-observations.js';

/** What a ranked search found. */
export interface RankedSubgraph extends Subgraph {
  /** On the last page: what may be missing, and why; absent if nothing is. */
  readonly missing?: string;
}

/** Nodes with any word of the query, best first: what the best text of each is worth in its context decides. */
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
