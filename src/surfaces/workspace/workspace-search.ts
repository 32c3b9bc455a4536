import { countPendingObservations, embeddingCoverage } from '../../search/embedding/embedding-coverage.js';
import { type EmbeddingModel, resolveSpaces } from '../../search/embedding/embedding-spaces.js';
import type { SearchRequest, SemanticHits } from '../../search/search-hits.js';
import { searchHybrid } from '../../search/search-hybrid.js';
import { searchObservations } from '../../search/search-ranked.js';
import { searchSemantic } from '../../search/search-semantic.js';
import { embedQuery } from '../../search/semantic/query-embedding.js';
import {
  type SimilarNodesResult,
  type SimilarPairsRequest,
  similarNodes,
} from '../../search/similar-nodes.js';
import { hasWords, noWordsMessage } from '../../search/text/query-words.js';
import type { Reader } from '../../store/reader.js';
import type { Redactor } from '../call-context.js';

export const searchModes = ['embedding', 'text', 'hybrid'] as const;

export type WorkspaceSearch = ReturnType<typeof createWorkspaceSearch>;

/** @param catchUp Embeds what was written since, unless that takes too long; resolves to whether nothing is left. */
interface WorkspaceEmbedding extends EmbeddingModel {
  catchUp(): Promise<boolean>;
}

/** Every method prepares first, since an embedder may be slow; the search it resolves to reads one state of the graph. */
export function createWorkspaceSearch(embedding: WorkspaceEmbedding) {
  return {
    async find(
      query: string,
      mode: (typeof searchModes)[number],
    ): Promise<(reader: Reader, request: SearchRequest) => Promise<SemanticHits>> {
      if (!hasWords(query)) return async () => ({ hits: [], missing: noWordsMessage });
      if (mode === 'text') {
        return async (reader, request) => {
          const { hits, ...next } = await searchObservations(reader, query, request);
          return { hits: hits.map((hit) => ({ ...hit, perspective: null })), ...next };
        };
      }
      const search = mode === 'embedding' ? searchSemantic : searchHybrid;
      const embedded = await embedQuery(embedding, query);
      const queryEmbedding = embedded.known
        ? { ...embedded, backlog: !(await embedding.catchUp()) }
        : embedded;
      return (reader, request) => search({ reader, queryEmbedding }, query, request);
    },
    async similar() {
      const spaces = await resolveSpaces(embedding);
      const backlog = spaces.known && !(await embedding.catchUp());
      return async (reader: Reader, request: SimilarPairsRequest) => {
        const similar = await similarNodes(reader, spaces, request);
        const waiting = spaces.known && backlog ? await countPendingObservations(reader, spaces.spaces) : 0;
        return { ...similar, ...(waiting > 0 ? { waiting } : {}) };
      };
    },
    async coverage() {
      const spaces = await resolveSpaces(embedding);
      return (reader: Reader) => embeddingCoverage(reader, spaces);
    },
  };
}

type SearchDoubts = Pick<SemanticHits, 'degraded' | 'missing' | 'waiting'> &
  Partial<Pick<SimilarNodesResult, 'warnings'>>;

export function searchWarnings(
  { degraded, missing, waiting, warnings = [] }: SearchDoubts,
  redactor: Redactor,
): { degraded?: boolean; warnings?: string[] } {
  const also = missing === undefined ? [] : [missing];
  if (degraded !== undefined) return { degraded: true, warnings: [redactor.redactText(degraded), ...also] };
  const said = [...(waiting === undefined ? [] : [notEmbeddedWarning(waiting)]), ...warnings, ...also];
  return said.length === 0 ? {} : { warnings: said };
}

function notEmbeddedWarning(waiting: number): string {
  const texts = waiting === 1 ? '1 observation is' : `${waiting} observations are`;
  return `${texts} not embedded yet and can be found only with mode text.`;
}
