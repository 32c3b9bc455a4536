// @ts-check
// Search at size, beside a plain FTS5 query in the same run: text and hybrid on many observations, and what they need.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Graph } from '../dist/engine/graph.js';
import { localEmbedder } from '../dist/search/embedders/local-embedder.js';
import { embedGraph } from '../dist/search/embedding/embed-graph.js';
import { meaningOf } from '../dist/search/meaning/query-meaning.js';
import { defaultPerspectives } from '../dist/search/perspectives.js';
import { searchHybrid } from '../dist/search/search-hybrid.js';
import { searchObservations } from '../dist/search/search-observations.js';
import { openStore } from '../dist/store/open.js';
import { binding } from '../dist/store/sqlite/binding.js';
import { loadDocuments, readRetrievalSet } from './lib/retrieval-set.js';
import { withScratch } from './lib/scratch.js';
import { quantile } from './lib/statistics.js';
import { milliseconds, table } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '100' },
    dir: { type: 'string' },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error('Usage: node bench/search.js FILE [--size N] [--questions N]');
  process.exit(2);
}
const set = await readRetrievalSet(file);
const questions = set.questions.slice(0, Number(values.questions)).map(({ text }) => text);
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** The documents of the set, over and over, in nodes of their own. */
const documents = Array.from({ length: Number(values.size) }, (_, at) => {
  const document = set.documents[at % set.documents.length];
  if (document === undefined) throw new Error('The set has no documents.');
  const round = Math.floor(at / set.documents.length);
  return { id: `${at}`, node: `${document.node} of ${round}`, text: document.text };
});

const { figures, seconds } = await withScratch(measure, values.dir);
const p95 = (/** @type {string} */ name) => figures.find((one) => one.name === name)?.p95 ?? Number.NaN;
console.log(`${documents.length} observations, ${questions.length} questions, SQLite`);
console.log(
  `embedded in ${seconds.toFixed(0)} s; ${Math.round(process.memoryUsage().rss / 1e6)} MB in memory\n`,
);
console.log(
  table(
    ['search', 'p50', 'p95'],
    figures.map(({ name, p50, p95 }) => [name, milliseconds(p50), milliseconds(p95)]),
  ),
);
const targets = [
  { what: 'text beside plain FTS5, p95', measured: p95('text') / p95('plain FTS5'), atMost: 1.5 },
  { what: 'hybrid beside plain FTS5, p95', measured: p95('hybrid') / p95('plain FTS5'), atMost: 2 },
];
console.log(`\n${targetTable(targets)}`);
if (!targets.every(isMet)) process.exitCode = 1;

/** @param {string} folder */
async function measure(folder) {
  const plain = plainIndex(join(folder, 'plain.db'));
  const store = await openStore(join(folder, 'search.db'));
  await store.createGraph('search');
  const graph = new Graph(store, 'search');
  progress('filling');
  await loadDocuments(graph, documents);
  progress('embedding');
  const context = { embedder: localEmbedder, perspectives: defaultPerspectives };
  if (store.vectors === null) throw new Error('This store keeps no vectors.');
  const start = performance.now();
  await embedGraph({ vectors: store.vectors, graph: 'search', ...context });
  const seconds = (performance.now() - start) / 1_000;
  // Until the text index has caught up.
  await new Promise((resolve) => setTimeout(resolve, Math.max(5_000, documents.length / 5)));
  progress('searching');
  /** @type {Record<string, (question: string) => unknown>} */
  const searches = {
    'plain FTS5': plain,
    text: (question) => graph.read((reader) => searchObservations(reader, question)),
    hybrid: async (question) => {
      const meaning = await meaningOf(context, question);
      return graph.read((reader) => searchHybrid({ reader, meaning }, question));
    },
  };
  /** @type {Map<string, number[]>} */
  const times = new Map(Object.keys(searches).map((name) => [name, []]));
  for (const [at, question] of [...questions.slice(0, 10), ...questions].entries()) {
    // Each question to each search in turn, so that what the machine does meanwhile hits all alike.
    for (const [name, search] of Object.entries(searches)) {
      const start = performance.now();
      await search(question);
      if (at >= 10) times.get(name)?.push(performance.now() - start);
    }
  }
  await store.close();
  const figures = [...times].map(([name, samples]) => ({
    name,
    p50: quantile(samples, 0.5),
    p95: quantile(samples, 0.95),
  }));
  return { figures, seconds };
}

/** @param {string} path */
function plainIndex(path) {
  const database = new binding.Database(path);
  database.exec("create virtual table plain using fts5 (text, tokenize = 'porter'); begin");
  const insert = database.prepare('insert into plain (text) values (?)');
  for (const { text } of documents) insert.run(text);
  database.exec('commit');
  const query = 'select rowid from plain where plain match ? order by bm25(plain) limit 200';
  return (/** @type {string} */ question) => {
    const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    return database.prepare(query).all(words.join(' OR '));
  };
}
