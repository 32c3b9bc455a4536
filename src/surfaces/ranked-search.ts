import { z } from 'zod';
import type { ListRequest } from '../engine/read/list-nodes.js';
import { searchReadLength } from '../engine/read/search-substring.js';
import type { Subgraph } from '../engine/specs.js';
import type { GraphSearch, SearchMode } from '../search/graph-search.js';
import type { Reader } from '../store/reader.js';
import type { CallContext } from './call-context.js';
import { type SearchDoubts, searchWarnings } from './search-warnings.js';

const modes = ['substring', 'text', 'embedding', 'hybrid', 'ranked'] as const;

/** The modes of `search_nodes` of memory and mesh. */
export const modeInput = z
  .enum(modes)
  .optional()
  .describe(
    'substring (default): contains the query as it is; text (or ranked): any of its words, best first; ' +
      'embedding: by meaning; hybrid: by words and meaning',
  );

/** Undefined for a search by substring. */
export function rankedMode(mode: (typeof modes)[number] | undefined): SearchMode | undefined {
  if (mode === undefined || mode === 'substring') return undefined;
  return mode === 'ranked' ? 'text' : mode;
}

/** How many nodes are returned by default: by meaning, everything is somewhat similar. */
export const rankedLimits: Readonly<Record<SearchMode, number>> = { text: 50, embedding: 10, hybrid: 10 };

interface RankedPageRequest<P> {
  readonly search: GraphSearch;
  readonly query: string;
  readonly mode: SearchMode;
  readonly types?: readonly string[] | undefined;
  /** Cuts to what fits into one result. */
  fitPage(reader: Reader, read: ReadRanked): Promise<P>;
}

type ReadRanked = (page: ListRequest) => Promise<Subgraph>;

/** A page of nodes, best first, with warnings about what it may lack. */
export async function readRankedPage<
  P extends { readonly nextCursor?: string; readonly warnings: readonly string[] },
>(
  { graph, redactor }: CallContext,
  { search, query, mode, types, fitPage }: RankedPageRequest<P>,
): Promise<P> {
  const length = { length: searchReadLength(query) };
  const find = await search.find(query, mode, (candidates, limit) =>
    graph.read((reader) => candidates(reader, { limit, types, perNode: true }), length),
  );
  // Loaded on demand, to keep the start fast.
  const { searchSubgraph } = await import('../search/search-ranked.js');
  return graph.read(async (reader) => {
    let doubts: SearchDoubts = {};
    const page = await fitPage(reader, async (list) => {
      const { nodes, edges, nextCursor, ...others } = await searchSubgraph(reader, find, { ...list, types });
      doubts = others;
      return { nodes, edges, ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
    const { missing, ...onEveryPage } = doubts;
    const isLast = page.nextCursor === undefined;
    const { warnings = [] } = searchWarnings(isLast ? doubts : onEveryPage, redactor);
    return { ...page, warnings: [...page.warnings, ...warnings] };
  }, length);
}
