import type { GraphSearch, GraphSearchOptions, OpenGraphSearch } from './graph-search.js';

/** Loads and opens the search when it is first used: most sessions never search by meaning. */
export function lazyGraphSearch(options: GraphSearchOptions): OpenGraphSearch {
  let opening: Promise<OpenGraphSearch> | undefined;
  const open = () => {
    opening ??= import('./graph-search.js').then(({ openGraphSearch }) => openGraphSearch(options));
    return opening;
  };
  return {
    ...forwardTo(open),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}

/** Search without an embedder, loaded when it is first used. */
export const lazyTextSearch: GraphSearch = forwardTo(
  async () => (await import('./graph-search.js')).textSearch,
);

function forwardTo(open: () => Promise<GraphSearch>): GraphSearch {
  return {
    find: async (...request) => (await open()).find(...request),
    similar: async () => (await open()).similar(),
    coverage: async () => (await open()).coverage(),
  };
}
