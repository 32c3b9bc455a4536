// @ts-check
// How well and how fast questions are answered: recall, rank and latency of each mode of search on a set of your own.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Graph } from '../dist/engine/graph.js';
import { localEmbedder } from '../dist/search/embedders/local-embedder.js';
import { embedGraph } from '../dist/search/embedding/embed-graph.js';
import { defaultPerspectives } from '../dist/search/perspectives.js';
import { searchHybrid } from '../dist/search/search-hybrid.js';
import { searchObservations } from '../dist/search/search-ranked.js';
import { searchSemantic } from '../dist/search/search-semantic.js';
import { embedQuery } from '../dist/search/semantic/query-embedding.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { withPostgres } from './lib/postgres.js';
import { depths, recall } from './lib/recall.js';
import { loadDocuments, readRetrievalSet } from './lib/retrieval-set.js';
import { withScratch } from './lib/scratch.js';
import { quantile } from './lib/statistics.js';
import { milliseconds, table } from './lib/table.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** sqlite or postgres. */
    store: { type: 'string', default: 'sqlite' },
    /** Only every second question, from the first or from the second: to tune on one half and judge on the other. */
    half: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error('Usage: node bench/retrieval.js FILE [--store sqlite|postgres] [--half 0|1] [--json]');
  process.exit(2);
}
const { documents, questions: all } = await readRetrievalSet(file);
const questions = values.half === undefined ? all : all.filter((_, at) => at % 2 === Number(values.half));

const figures = await (values.store === 'postgres'
  ? withPostgres(async (makeDatabase) => measure(await makeDatabase()))
  : withScratch((folder) => measure(join(folder, 'retrieval.db'))));

if (values.json)
  console.log(JSON.stringify({ node: process.version, store: values.store, figures }, null, 2));
else {
  console.log(`${documents.length} documents, ${questions.length} questions, ${values.store}\n`);
  const three = (/** @type {number} */ value) => value.toFixed(3);
  console.log(
    table(
      ['mode', ...depths.flatMap((depth) => [`any@${depth}`, `fraction@${depth}`]), 'MRR', 'p50', 'p95'],
      figures.map(({ mode, recall, p50, p95 }) => [
        mode,
        ...depths.flatMap((_, at) => [three(recall.any[at] ?? 0), three(recall.fraction[at] ?? 0)]),
        ...[three(recall.mrr), milliseconds(p50), milliseconds(p95)],
      ]),
    ),
  );
}

/** @param {string} location */
async function measure(location) {
  const store = await openStoreAtLocation(location);
  try {
    await store.createGraph('retrieval');
    const graph = new Graph(store, 'retrieval');
    const ids = await loadDocuments(graph, documents);
    const context = { embedder: localEmbedder, perspectives: defaultPerspectives };
    if (store.vectors === null) throw new Error('This store keeps no vectors.');
    await embedGraph({ vectors: store.vectors, graph: 'retrieval', ...context });
    const by = (/** @type {typeof searchSemantic} */ search) => async (/** @type {string} */ text) => {
      const meaning = await embedQuery(context, text);
      return graph.read((reader) => search({ reader, queryEmbedding: meaning }, text, { limit: 100 }));
    };
    const modes = {
      text: (/** @type {string} */ text) =>
        graph.read((reader) => searchObservations(reader, text, { limit: 100 })),
      ...{ embedding: by(searchSemantic), hybrid: by(searchHybrid) },
    };
    const measured = [];
    for (const [mode, search] of Object.entries(modes)) {
      /** @type {number[]} */
      const times = [];
      const answers = [];
      for (const { text, gold } of questions) {
        const start = performance.now();
        const { hits } = await search(text);
        times.push(performance.now() - start);
        answers.push({
          gold,
          found: hits.map(({ node, ordinal }) => ids.get(`${node.name} ${ordinal}`) ?? ''),
        });
      }
      measured.push({
        ...{ mode, recall: recall(answers) },
        ...{ p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
      });
    }
    return measured;
  } finally {
    await store.close();
  }
}
