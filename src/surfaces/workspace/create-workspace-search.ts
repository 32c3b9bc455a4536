import { countPendingObservations, embeddingCoverage } from '../../search/embedding/embedding-coverage.js';
import { type EmbeddingModel, resolveSpaces } from '../../search/embedding/embedding-spaces.js';
import { searchHybrid } from '../../search/search-hybrid.js';
import { searchObservations } from '../../search/search-ranked.js';
import { searchSemantic } from '../../search/search-semantic.js';
import { embedQuery, type QueryEmbedding } from '../../search/semantic/query-embedding.js';
import { similarNodes } from '../../search/similar-nodes.js';
import { hasWords, noWordsMessage } from '../../search/text/query-words.js';
import type { WorkspaceSearch } from './workspace-search.js';

/** How the texts of a workspace are embedded, and how to see to it that they are. */
export interface WorkspaceEmbedding extends EmbeddingModel {
  /** Embeds what has been written since, unless that takes too long; answers whether nothing is left. */
  catchUp(): Promise<boolean>;
}

/** The searches of `search/` with one embedder and the perspectives of a workspace. */
export function createWorkspaceSearch(embedding: WorkspaceEmbedding): WorkspaceSearch {
  /** What a query means, once what was just written can be found too. */
  const meaning = async (query: string): Promise<QueryEmbedding> => {
    const meant = await embedQuery(embedding, query);
    return meant.known ? { ...meant, backlog: !(await embedding.catchUp()) } : meant;
  };
  return {
    async find(query, mode) {
      if (!hasWords(query)) return async () => ({ hits: [], missing: noWordsMessage });
      if (mode === 'text') {
        return async (reader, request) => {
          const { hits, ...next } = await searchObservations(reader, query, request);
          return { hits: hits.map((hit) => ({ ...hit, perspective: null })), ...next };
        };
      }
      const search = mode === 'embedding' ? searchSemantic : searchHybrid;
      const meant = await meaning(query);
      return (reader, request) => search({ reader, queryEmbedding: meant }, query, request);
    },
    async similar() {
      const spaces = await resolveSpaces(embedding);
      const backlog = spaces.known && !(await embedding.catchUp());
      return async (reader, request) => {
        const similar = await similarNodes(reader, spaces, request);
        const waiting = spaces.known && backlog ? await countPendingObservations(reader, spaces.spaces) : 0;
        return { ...similar, ...(waiting > 0 ? { waiting } : {}) };
      };
    },
    async coverage() {
      const spaces = await resolveSpaces(embedding);
      return (reader) => embeddingCoverage(reader, spaces);
    },
  };
}
