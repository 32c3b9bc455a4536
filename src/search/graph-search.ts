import type { Graph } from '../engine/graph.js';
import { limits } from '../model/limits.js';
import { checkText } from '../model/text.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import { hasWords } from '../store/text/words.js';
import type { EmbedderSettings } from './embedders/open-embedder.js';
import { countPendingObservations, embeddingCoverage } from './embedding/embedding-coverage.js';
import { type EmbeddingModel, noEmbedder, noVectors, resolveSpaces } from './embedding/embedding-spaces.js';
import { onCommitsOfOthers } from './embedding/on-commits-of-others.js';
import { shareEmbedding } from './embedding/share-embedding.js';
import { defaultPerspectives, type Perspective } from './perspectives.js';
import type { Reranker } from './rerank/http-reranker.js';
import { openReranker } from './rerank/open-reranker.js';
import { type ReadCandidates, rerankSearch } from './rerank/rerank-search.js';
import type { RerankSettings } from './rerank/rerank-settings.js';
import type { PreparedSearch, SemanticHits } from './search-hits.js';
import { searchHybrid } from './search-hybrid.js';
import { searchObservations } from './search-ranked.js';
import { searchSemantic } from './search-semantic.js';
import { embedQuery } from './semantic/query-embedding.js';
import { type SimilarNodesResult, type SimilarPairsRequest, similarNodes } from './similar/similar-nodes.js';
import { noWordsMessage } from './text/query-words.js';

export const searchModes = ['embedding', 'text', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

type PendingTexts = Pick<SemanticHits, 'waiting' | 'embeddedElsewhere'>;

/** Every method prepares first, since an embedder may be slow; the search it resolves to reads one state of the graph. */
export interface GraphSearch {
  /** @param readCandidates What a reranker gets to see, if there is one. */
  find(query: string, mode: SearchMode, readCandidates: ReadCandidates): Promise<PreparedSearch>;
  similar(): Promise<
    (reader: Reader, request: SimilarPairsRequest) => Promise<SimilarNodesResult & PendingTexts>
  >;
  coverage(): Promise<(reader: Reader) => Promise<number>>;
}

export interface OpenGraphSearch extends GraphSearch {
  close(): Promise<void>;
}

export interface GraphSearchOptions {
  readonly store: Store;
  readonly graph: Graph;
  readonly settings: {
    /** Default: the local embedder. */
    readonly embedding?: EmbedderSettings | undefined;
    readonly perspectives?: readonly Perspective[] | undefined;
    /** Default: none. */
    readonly rerank?: RerankSettings | undefined;
  };
  readonly warn: (message: string) => void;
  /** Whether similar nodes are found in advance; default: when they are searched. */
  readonly maintainsSimilarNodes?: boolean;
}

/** How long a search waits for new texts to be embedded. */
const catchUpMs = 1_000;

/** Embeds in the background what any surface or other process writes to the graph. */
export async function openGraphSearch({
  store,
  graph,
  settings,
  warn,
  maintainsSimilarNodes = false,
}: GraphSearchOptions): Promise<OpenGraphSearch> {
  const perspectives = settings.perspectives ?? defaultPerspectives;
  const reranker = openReranker(settings.rerank);
  const { meaningWeight, ...model } = settings.embedding ?? { provider: 'local' };
  const embedding = await shareEmbedding(store, model, warn);
  if (embedding === null) {
    const unavailable = store.vectors === null ? noVectors : noEmbedder;
    return { ...createGraphSearch({ ...wordsOnly, unavailable, reranker }), close: async () => {} };
  }
  if (maintainsSimilarNodes) embedding.maintainSimilarNodes(graph.name);
  const wake = () => embedding.wake(graph.name, perspectives);
  wake();
  const stops = [graph.onAnyCommit(wake), onCommitsOfOthers(graph, wake)];
  return {
    ...createGraphSearch({
      ...{ embedder: embedding.embedder, perspectives, meaningWeight, reranker },
      catchUp: () => embedding.catchUp(graph.name, catchUpMs),
      isReadOnly: embedding.isReadOnly,
    }),
    async close() {
      for (const stop of stops) stop();
      await embedding.release();
    },
  };
}

/** @param catchUp Embeds what was written since, unless that takes too long; resolves to whether nothing is left. */
interface GraphEmbedding extends EmbeddingModel {
  catchUp(): Promise<boolean>;
  /** Whether only another process can embed texts. */
  isReadOnly(): boolean;
  readonly reranker: Reranker | null;
}

function createGraphSearch(embedding: GraphEmbedding): GraphSearch {
  return {
    async find(query, mode, readCandidates) {
      checkText(query, 'The query', limits.queryLength);
      if (!hasWords(query)) return async () => ({ hits: [], missing: noWordsMessage });
      const find = await prepareSearch(embedding, query, mode);
      const { reranker } = embedding;
      return reranker === null ? find : rerankSearch(find, query, reranker, readCandidates);
    },
    async similar() {
      const spaces = await resolveSpaces(embedding);
      const backlog = spaces.known && !(await embedding.catchUp());
      return async (reader, request) => {
        const similar = await similarNodes(reader, spaces, request);
        const waiting = spaces.known && backlog ? await countPendingObservations(reader, spaces.spaces) : 0;
        return { ...similar, ...(waiting > 0 ? sayWhoEmbeds(embedding, { waiting }) : {}) };
      };
    },
    async coverage() {
      const spaces = await resolveSpaces(embedding);
      return (reader) => embeddingCoverage(reader, spaces);
    },
  };
}

async function prepareSearch(
  embedding: GraphEmbedding,
  query: string,
  mode: SearchMode,
): Promise<PreparedSearch> {
  if (mode === 'text') {
    return async (reader, request) => {
      const { hits, ...next } = await searchObservations(reader, query, request);
      return { hits: hits.map((hit) => ({ ...hit, perspective: null })), ...next };
    };
  }
  const search = mode === 'embedding' ? searchSemantic : searchHybrid;
  const embedded = await embedQuery(embedding, query);
  const queryEmbedding = embedded.known ? { ...embedded, backlog: !(await embedding.catchUp()) } : embedded;
  return async (reader, request) =>
    sayWhoEmbeds(embedding, await search({ reader, queryEmbedding }, query, request));
}

function sayWhoEmbeds<T extends PendingTexts>(embedding: GraphEmbedding, found: T): T & PendingTexts {
  if (found.waiting === undefined || !embedding.isReadOnly()) return found;
  return { ...found, embeddedElsewhere: true };
}

const wordsOnly = {
  ...{ embedder: null, reranker: null, perspectives: defaultPerspectives },
  catchUp: async () => true,
  isReadOnly: () => false,
};

/** Search without an embedder. */
export const textSearch: GraphSearch = createGraphSearch(wordsOnly);
