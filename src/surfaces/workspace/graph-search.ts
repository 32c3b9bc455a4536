import { embeddingCoverage, observationsWaiting } from '../../search/embedding/coverage.js';
import { knownSpaces } from '../../search/embedding/known-spaces.js';
import type { Embedding } from '../../search/embedding/spaces.js';
import { meaningOf, type QueryMeaning } from '../../search/meaning/query-meaning.js';
import { searchByMeaning } from '../../search/search-by-meaning.js';
import { searchHybrid } from '../../search/search-hybrid.js';
import { searchObservations } from '../../search/search-observations.js';
import { similarNodes } from '../../search/similar-nodes.js';
import { hasWords, noWords } from '../../search/text/query-words.js';
import type { WorkspaceSearch } from './search.js';

/** How the texts of a workspace are embedded, and how to see to it that they are. */
export interface WorkspaceEmbedding extends Embedding {
  /** Embeds what has been written since, unless that takes too long; answers whether nothing is left. */
  catchUp(): Promise<boolean>;
}

/** The searches of `search/` with one embedder and the perspectives of a workspace. */
export function graphSearch(embedding: WorkspaceEmbedding): WorkspaceSearch {
  /** What a query means, once what was just written can be found too. */
  const meaning = async (query: string): Promise<QueryMeaning> => {
    const meant = await meaningOf(embedding, query);
    return meant.known ? { ...meant, backlog: !(await embedding.catchUp()) } : meant;
  };
  return {
    async find(query, mode) {
      if (!hasWords(query)) return async () => ({ hits: [], missing: noWords });
      if (mode === 'text') {
        return async (reader, request) => {
          const { hits, ...next } = await searchObservations(reader, query, request);
          return { hits: hits.map((hit) => ({ ...hit, perspective: null })), ...next };
        };
      }
      const search = mode === 'embedding' ? searchByMeaning : searchHybrid;
      const meant = await meaning(query);
      return (reader, request) => search({ reader, meaning: meant }, query, request);
    },
    async similar() {
      const spaces = await knownSpaces(embedding);
      const backlog = spaces.known && !(await embedding.catchUp());
      return async (reader, request) => {
        const similar = await similarNodes(reader, spaces, request);
        const waiting = spaces.known && backlog ? await observationsWaiting(reader, spaces.spaces) : 0;
        return { ...similar, ...(waiting > 0 ? { waiting } : {}) };
      };
    },
    async coverage() {
      const spaces = await knownSpaces(embedding);
      return (reader) => embeddingCoverage(reader, spaces);
    },
  };
}
