import { type FittedPage, fitPage } from '../../engine/read/fit/fit-page.js';
import type { PageRequest } from '../../engine/read/page.js';
import { dropEdgesOfEarlierPages, type MatchFilter } from '../../engine/read/page-edges.js';
import { graphList, readGraph } from '../../engine/read/read-graph.js';
import { withoutNeighbours } from '../../engine/read/with-neighbours.js';
import type { NodeWithFacts, Subgraph } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import {
  estimateNodesPerPage,
  type FactListOptions,
  factList,
  withReplacedTextWarning,
} from '../fact-list.js';
import { toMemoryGraph } from './memory-shapes.js';

export type MemoryPageRequest = Pick<PageRequest, 'limit' | 'cursor'>;

export interface EntityList extends Pick<FactListOptions, 'name' | 'estimateLimit'> {
  read(page: MemoryPageRequest): Promise<Subgraph>;
  /** Which of some nodes are in the list; absent if it is not in creation order. */
  readonly keepMatches?: MatchFilter;
}

/**
 * Cuts a page to what fits into one result. A page requested with a limit has every relation of its entities; if a
 * whole list does not fit, each relation appears once.
 */
export async function fitMemoryPage(
  reader: Reader,
  { name, read, keepMatches, estimateLimit }: EntityList,
  request: MemoryPageRequest,
): Promise<FittedPage<NodeWithFacts>> {
  const list = factList({
    name,
    toResult: toMemoryGraph,
    estimateLimit,
    async read(page) {
      const found = await read(page);
      if (request.limit !== undefined || page.cursor === undefined || keepMatches === undefined) {
        return withoutNeighbours(found);
      }
      return withoutNeighbours(await dropEdgesOfEarlierPages(reader, found, keepMatches));
    },
  });
  return withReplacedTextWarning(reader, await fitPage(reader, list, request));
}

export function fitMemoryGraph(
  reader: Reader,
  { limit, cursor, types }: PageRequest,
): Promise<FittedPage<NodeWithFacts>> {
  const list: EntityList = {
    name: graphList,
    read: (page) => readGraph(reader, { ...page, types }),
    keepMatches: async (nodes) => nodes.filter(({ type }) => types === undefined || types.includes(type)),
    estimateLimit: async () => (types === undefined ? estimateNodesPerPage(reader) : undefined),
  };
  return fitMemoryPage(reader, list, { limit, cursor });
}
