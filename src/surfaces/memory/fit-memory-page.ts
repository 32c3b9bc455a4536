import { type FittedPage, fitPage } from '../../engine/read/fit/fit-page.js';
import type { PageRequest } from '../../engine/read/page.js';
import { dropEdgesOfEarlierPages, type MatchFilter } from '../../engine/read/page-edges.js';
import { graphList, readGraph } from '../../engine/read/read-graph.js';
import { withoutNeighbours } from '../../engine/read/with-neighbours.js';
import type { NodeWithFacts, Subgraph } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import { estimateNodesPerPage, type FactListOptions, factList } from '../fact-list.js';
import { withReplacedTextWarning } from '../replaced-text-warning.js';
import { toMemoryGraph } from './memory-shapes.js';

export type MemoryPageRequest = Pick<PageRequest, 'limit' | 'cursor'>;

/** A list of entities that a tool shows. */
export interface EntityList extends Pick<FactListOptions, 'name' | 'guess'> {
  read(page: MemoryPageRequest): Promise<Subgraph>;
  /** Which of some nodes are in the list; left out, it is not in creation order. */
  readonly keepMatches?: MatchFilter;
}

/**
 * Reads a page of a list, and cuts it to what one answer has room for. Pages that were asked for with a limit have every
 * relation of their entities; where a whole list did not fit, each relation comes once.
 */
export async function fitMemoryPage(
  reader: Reader,
  { name, read, keepMatches, guess }: EntityList,
  request: MemoryPageRequest,
): Promise<FittedPage<NodeWithFacts>> {
  const list = factList({
    name,
    answer: toMemoryGraph,
    guess,
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

/** The whole graph, or a page of it, as far as one answer has room. */
export function fitMemoryGraph(
  reader: Reader,
  { limit, cursor, types }: PageRequest,
): Promise<FittedPage<NodeWithFacts>> {
  const list: EntityList = {
    name: graphList,
    read: (page) => readGraph(reader, { ...page, types }),
    keepMatches: async (nodes) => nodes.filter(({ type }) => types === undefined || types.includes(type)),
    guess: async () => (types === undefined ? estimateNodesPerPage(reader) : undefined),
  };
  return fitMemoryPage(reader, list, { limit, cursor });
}
