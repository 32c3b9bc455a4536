// @ts-check
// How well and how fast questions are answered: recall, rank, latency and size of the answers of each mode of search, on
// sets of your own, beside plain FTS5 and the embedding model alone.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedder } from '../dist/search/embedders/open-embedder.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { measureRetrieval } from './lib/measure-retrieval.js';
import { withPostgres } from './lib/postgres.js';
import { reportData, setTables, summaryTable } from './lib/retrieval-report.js';
import { openSearches } from './lib/retrieval-searches.js';
import { groupById, loadingClock, readRetrievalSet, sampleQuestions } from './lib/retrieval-set.js';
import { withScratch } from './lib/scratch.js';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    /** sqlite or postgres. */
    store: { type: 'string', default: 'sqlite' },
    /** Only every second question, from the first or from the second: to tune on one half and judge on the other. */
    half: { type: 'string' },
    /** At most this many questions of a set, evenly spread. */
    questions: { type: 'string' },
    /** The embedder, as in TRELLIS_EMBEDDING_PROVIDER, _MODEL and _URL; a model alone is a folder for onnx. */
    provider: { type: 'string' },
    model: { type: 'string' },
    url: { type: 'string' },
    /** A graph for each part of the set that the ids begin with, such as one conversation. */
    'group-by-id': { type: 'boolean', default: false },
    /** document, node or node-of-document: see Level in lib/measure-retrieval.js. */
    level: { type: 'string', default: 'document' },
    /** Write each node on the day of its documents, so that questions about a time can be matched with it. */
    times: { type: 'boolean', default: false },
    /** Relate nodes wherever a text of one names another. */
    relate: { type: 'boolean', default: false },
    /** Choose weights instead of measuring; bench/lib/tune-NAME.js does it. */
    tune: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (files.length === 0) {
  console.error(
    'Usage: node bench/retrieval.js FILE... [--store sqlite|postgres] [--model FOLDER] [--provider NAME] [--url URL]\n' +
      '         [--half 0|1] [--questions N] [--group-by-id] [--level LEVEL] [--times] [--relate] [--tune NAME] [--json]',
  );
  process.exit(2);
}
const level = levelOf(values.level);
const sets = (await Promise.all(files.map(readRetrievalSet)))
  .map((set) => (values['group-by-id'] ? groupById(set) : set))
  .map((set) => ({
    ...set,
    questions: set.questions.filter((_, at) => values.half === undefined || at % 2 === Number(values.half)),
  }))
  .map((set) => sampleQuestions(set, Number(values.questions ?? set.questions.length)));

if (values.tune !== undefined) {
  const { tune } = await import(`./lib/tune-${values.tune}.js`);
  await tune(sets, values);
} else {
  const embedder = await openEmbedder(embedderSettings());
  if (embedder === null) throw new Error('Search by meaning needs an embedder.');
  const reports = [];
  for (const set of sets) {
    const figures = await withStore((store) =>
      measureRetrieval(
        set,
        ({ name, documents }) =>
          openSearches({ store, embedder, relate: values.relate }, name.replaceAll(' ', '-'), documents),
        level,
      ),
    );
    const report = {
      ...{ set: set.name, documents: set.documents.length, questions: set.questions.length },
      figures,
    };
    reports.push(report);
    if (!values.json) console.log(`${setTables(report)}\n`);
  }
  if (values.json) {
    const { store } = values;
    console.log(
      JSON.stringify({
        node: process.version,
        store,
        level,
        embedder: embedder.id,
        sets: reportData(reports),
      }),
    );
  } else {
    console.log(`${summaryTable(reports)}\n`);
    console.log(`${values.store}, ${embedder.id}; found: ${level}s`);
  }
}

/**
 * @param {string} name
 * @returns {import('./lib/measure-retrieval.js').Level}
 */
function levelOf(name) {
  if (name === 'document' || name === 'node' || name === 'node-of-document') return name;
  throw new Error(`There is no level ${name}. Use document, node or node-of-document.`);
}

/** @returns {import('../dist/search/embedders/open-embedder.js').EmbedderSettings} */
function embedderSettings() {
  const { provider = values.model === undefined ? 'local' : 'onnx', model, url } = values;
  return { provider: /** @type {any} */ (provider), model, url };
}

/**
 * @template T
 * @param {(store: import('../dist/store/store-contract.js').Store) => Promise<T>} work
 * @returns {Promise<T>}
 */
function withStore(work) {
  const run = async (/** @type {string} */ location) => {
    const store = await openStoreAtLocation(location, values.times ? { clock: loadingClock.now } : {});
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  return values.store === 'postgres'
    ? withPostgres(async (makeDatabase) => run(await makeDatabase()))
    : withScratch((folder) => run(join(folder, 'retrieval.db')));
}
