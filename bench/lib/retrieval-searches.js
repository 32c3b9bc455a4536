// @ts-check
import { Graph } from '../../dist/engine/graph.js';
import { embedGraph } from '../../dist/search/embedding/embed-graph.js';
import { defaultPerspectives } from '../../dist/search/perspectives.js';
import { searchHybrid } from '../../dist/search/search-hybrid.js';
import { searchObservations } from '../../dist/search/search-ranked.js';
import { searchSemantic } from '../../dist/search/search-semantic.js';
import { embedQuery } from '../../dist/search/semantic/query-embedding.js';
import { denseIndex } from './dense-index.js';
import { plainIndex } from './plain-index.js';
import { relateByNames } from './relate-by-names.js';
import { loadDocuments } from './retrieval-set.js';

/**
 * @typedef {import('./retrieval-set.js').Document} Document
 * @typedef {import('../../dist/search/search-hits.js').SearchHits} SearchHits
 *
 * @typedef {(question: string) => Promise<Document[]>} Search Finds documents, best first.
 * @typedef {{ store: import('../../dist/store/store-contract.js').Store, embedder: import('../../dist/search/embedders/embedder.js').Embedder, relate?: boolean }} Setup
 */

/** How many documents each search returns. */
const limit = 100;

/**
 * The modes of Trellis over the documents in a graph of their own, beside plain FTS5 and beside the model alone.
 * @param {Setup} setup
 * @param {string} name Of the graph.
 * @param {readonly Document[]} documents
 * @returns {Promise<Record<string, Search>>}
 */
export async function openSearches({ store, embedder, relate = false }, name, documents) {
  if (store.vectors === null) throw new Error('This store keeps no vectors.');
  await store.createGraph(name);
  const graph = new Graph(store, name);
  const ids = await loadDocuments(graph, documents);
  if (relate) await relateByNames(graph, documents);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const context = { embedder, perspectives: defaultPerspectives };
  await embedGraph({ vectors: store.vectors, graph: name, ...context });
  const plain = plainIndex(':memory:', documents);
  const dense = await denseIndex(embedder, documents);

  const documentsOf = (/** @type {SearchHits} */ { hits }) =>
    hits.flatMap(({ node, ordinal }) => byId.get(ids.get(`${node.name} ${ordinal}`) ?? '') ?? []);
  const at = (/** @type {readonly number[]} */ places) => places.flatMap((place) => documents[place] ?? []);
  const byMeaning =
    (/** @type {typeof searchSemantic} */ search) => async (/** @type {string} */ question) => {
      const queryEmbedding = await embedQuery(context, question);
      return documentsOf(
        await graph.read((reader) => search({ reader, queryEmbedding }, question, { limit })),
      );
    };
  return {
    'plain FTS5': async (question) => at(plain(question, limit)),
    'dense only': async (question) => at(await dense(question, limit)),
    text: async (question) =>
      documentsOf(await graph.read((reader) => searchObservations(reader, question, { limit }))),
    embedding: byMeaning(searchSemantic),
    hybrid: byMeaning(searchHybrid),
  };
}
