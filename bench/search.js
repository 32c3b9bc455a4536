// @ts-check
// Search at size, beside a plain FTS5 query in the same run: text and hybrid on many observations, and what they need;
// with --postgres on a PostgreSQL too, each question in turn to both.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Graph } from '../dist/engine/graph.js';
import { localEmbedder } from '../dist/search/embedders/local-embedder.js';
import { embedGraph } from '../dist/search/embedding/embed-graph.js';
import { defaultPerspectives } from '../dist/search/perspectives.js';
import { searchHybrid } from '../dist/search/search-hybrid.js';
import { searchObservations } from '../dist/search/search-ranked.js';
import { embedQuery } from '../dist/search/semantic/query-embedding.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { plainIndex } from './lib/plain-index.js';
import { withPostgres } from './lib/postgres.js';
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
    postgres: { type: 'boolean', default: false },
    dir: { type: 'string' },
    /** A folder that keeps the databases: filled by the first run, used by the next. */
    keep: { type: 'string' },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error('Usage: node bench/search.js FILE [--size N] [--questions N] [--postgres] [--keep FOLDER]');
  process.exit(2);
}
const set = await readRetrievalSet(file);
const questions = set.questions.slice(0, Number(values.questions)).map(({ text }) => text);
const context = { embedder: localEmbedder, perspectives: defaultPerspectives };
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/**
 * Documents that all differ, since what a search keeps of texts it has seen must not flatter it: the first half of one of
 * the set with the second half of another, in nodes of their own.
 */
const documents = Array.from({ length: Number(values.size) }, (_, at) => {
  const count = set.documents.length;
  const round = Math.floor(at / count);
  const [first, second] = [set.documents[at % count], set.documents[(at + round) % count]];
  if (first === undefined || second === undefined) throw new Error('The set has no documents.');
  return { id: `${at}`, node: `${first.node} of ${round}`, text: spliced(first.text, second.text) };
});

const measureIn = (/** @type {string} */ folder) =>
  values.postgres
    ? withPostgres(async (makeDatabase) => measure(folder, await makeDatabase()))
    : measure(folder, null);
if (values.keep !== undefined) await mkdir(values.keep, { recursive: true });
const { figures, filled } =
  values.keep === undefined ? await withScratch(measureIn, values.dir) : await measureIn(values.keep);
const p95 = (/** @type {string} */ name) => figures.find((one) => one.name === name)?.p95 ?? Number.NaN;
console.log(`${documents.length} observations, ${questions.length} questions`);
for (const { name, seconds } of filled)
  console.log(`${name}: ${seconds === null ? 'filled before' : `embedded in ${seconds.toFixed(0)} s`}`);
console.log(`${Math.round(process.memoryUsage().rss / 1e6)} MB in memory\n`);
console.log(
  table(
    ['search', 'p50', 'p95', 'CPU p50', 'CPU p95'],
    figures.map(({ name, p50, p95, cpu50, cpu95 }) => [name, ...[p50, p95, cpu50, cpu95].map(milliseconds)]),
  ),
);
const targets = [
  {
    what: 'text, SQLite, beside plain FTS5, p95',
    measured: p95('text, SQLite') / p95('plain FTS5'),
    atMost: 0.6,
  },
  {
    what: 'hybrid, SQLite, beside plain FTS5, p95',
    measured: p95('hybrid, SQLite') / p95('plain FTS5'),
    atMost: 1,
  },
  ...(values.postgres ? ['text', 'hybrid'] : []).map((mode) => ({
    what: `${mode}, PostgreSQL beside SQLite, p95`,
    measured: p95(`${mode}, PostgreSQL`) / p95(`${mode}, SQLite`),
    atMost: 2,
  })),
];
console.log(`\n${targetTable(targets)}`);
if (!targets.every(isMet)) process.exitCode = 1;

/**
 * @param {string} first
 * @param {string} second
 */
function spliced(first, second) {
  const [head, tail] = [first.split(' '), second.split(' ')];
  return [...head.slice(0, Math.ceil(head.length / 2)), ...tail.slice(Math.ceil(tail.length / 2))].join(' ');
}

/**
 * @param {string} folder
 * @param {string | null} url Of an empty PostgreSQL database.
 */
async function measure(folder, url) {
  const plain = plainIndex(join(folder, 'plain.db'), documents);
  const stores = [await filledStore('SQLite', join(folder, 'search.db'))];
  if (url !== null) stores.push(await filledStore('PostgreSQL', url));
  // Until the text index of SQLite has caught up.
  const settleMs = stores.every(({ seconds }) => seconds === null) ? 0 : documents.length / 5;
  await new Promise((resolve) => setTimeout(resolve, Math.max(5_000, settleMs)));
  progress('searching');
  /** @type {Record<string, (question: string) => unknown>} */
  const searches = Object.assign(
    { 'plain FTS5': (/** @type {string} */ question) => plain(question, 200) },
    ...stores.map(searchesOf),
  );
  /** @type {Map<string, { waited: number[], cpu: number[] }>} */
  const times = new Map(Object.keys(searches).map((name) => [name, { waited: [], cpu: [] }]));
  for (const [at, question] of [...questions.slice(0, 10), ...questions].entries()) {
    // Each question to each search in turn, so that what the machine does meanwhile hits all alike.
    for (const [name, search] of Object.entries(searches)) {
      const [start, cpu] = [performance.now(), process.cpuUsage()];
      await search(question);
      const waited = performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      if (at < 10) continue;
      times.get(name)?.waited.push(waited);
      times.get(name)?.cpu.push((user + system) / 1_000);
    }
  }
  for (const { store } of stores) await store.close();
  // The CPU time of this process, which others on the machine do not change; PostgreSQL's own is not in it.
  const figures = [...times].map(([name, { waited, cpu }]) => ({
    name,
    p50: quantile(waited, 0.5),
    p95: quantile(waited, 0.95),
    cpu50: quantile(cpu, 0.5),
    cpu95: quantile(cpu, 0.95),
  }));
  return { figures, filled: stores };
}

/**
 * @param {string} name
 * @param {string} address
 */
async function filledStore(name, address) {
  const store = await openStoreAtLocation(address);
  const graph = new Graph(store, 'search');
  if ((await store.graphs()).length > 0) return { name, store, graph, seconds: null };
  await store.createGraph('search');
  progress(`filling ${name}`);
  await loadDocuments(graph, documents);
  progress(`embedding ${name}`);
  if (store.vectors === null) throw new Error('This store keeps no vectors.');
  const start = performance.now();
  await embedGraph({ vectors: store.vectors, graph: 'search', ...context });
  return { name, store, graph, seconds: (performance.now() - start) / 1_000 };
}

/** @param {{ name: string, graph: Graph }} filled */
function searchesOf({ name, graph }) {
  return {
    [`text, ${name}`]: (/** @type {string} */ question) =>
      graph.read((reader) => searchObservations(reader, question)),
    [`hybrid, ${name}`]: async (/** @type {string} */ question) => {
      const meaning = await embedQuery(context, question);
      return graph.read((reader) => searchHybrid({ reader, queryEmbedding: meaning }, question));
    },
  };
}
