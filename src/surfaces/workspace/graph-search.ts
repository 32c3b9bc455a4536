import type { SearchContext } from '../../search/context.js';
import { embeddingCoverage } from '../../search/embedding/coverage.js';
import { searchByMeaning } from '../../search/search-by-meaning.js';
import { searchHybrid } from '../../search/search-hybrid.js';
import { searchObservations } from '../../search/search-observations.js';
import { similarNodes } from '../../search/similar-nodes.js';
import type { WorkspaceSearch } from './search.js';

/** The searches of `search/` with one embedder and the perspectives of a workspace. */
export function graphSearch(setup: Omit<SearchContext, 'reader'>): WorkspaceSearch {
  return {
    async find(reader, query, { mode, ...request }) {
      const context = { ...setup, reader };
      if (mode === 'embedding') return searchByMeaning(context, query, request);
      if (mode === 'hybrid') return searchHybrid(context, query, request);
      const { hits, ...next } = await searchObservations(context, query, request);
      return { hits: hits.map((hit) => ({ ...hit, perspective: null })), ...next };
    },
    similar: (reader, request) => similarNodes({ ...setup, reader }, request),
    coverage: (reader) => embeddingCoverage({ ...setup, reader }),
  };
}
