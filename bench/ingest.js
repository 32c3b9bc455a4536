// @ts-check
// Ingest into SQLite beside a bare loop of prepared statements that fills the same rows and the same text index. With
// `--old folder`, the built code in another folder ingests the same lines, in turns.
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compileGraphSchema } from '../dist/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { SqliteConnection } from '../dist/store/sqlite/sqlite-connection.js';
import { defineTextFunctions } from '../dist/store/sqlite/text/sqlite-text-search.js';
import { indexPending, pendingCount } from '../dist/store/sqlite/text/text-index.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { table, times } from './lib/table.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    edges: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '3' },
    old: { type: 'string' },
    /** Without the bare loop, for a profiler. */
    profile: { type: 'boolean', default: false },
  },
});
const nodes = Number(values.nodes);
const edges = Number(values.edges);
const author = { actor: 'bench', tool: 'ingest' };
const schema = `
node Person { email: String @key  age: I32?  city: String? @index  note: String? }
edge Knows: Person -> Person { since: Date? }
`;

/** Time, and the CPU time of all threads, since it was made. */
class Stopwatch {
  #start = performance.now();
  #cpu = process.cpuUsage();

  read() {
    const { user, system } = process.cpuUsage(this.#cpu);
    return { ms: performance.now() - this.#start, cpuMs: (user + system) / 1000 };
  }
}

/** The same graph every time. */
function lines() {
  const parts = [];
  for (let n = 0; n < nodes; n++) {
    parts.push(
      `{"type":"Person","data":{"email":"person-${n}@example.org","age":${n % 90},"city":"city ${n % 500}","note":"some words about person ${n}, who is number ${n % 977}"}}\n`,
    );
  }
  for (let n = 0; n < edges; n++) {
    const from = (n * 7919) % nodes;
    const to = (n * 104_729 + Math.floor(n / nodes) + 1) % nodes;
    parts.push(
      `{"edge":"Knows","from":"person-${from}@example.org","to":"person-${to}@example.org","data":{"since":"2020-01-${String((n % 28) + 1).padStart(2, '0')}"}}\n`,
    );
  }
  return Buffer.from(parts.join(''));
}

/**
 * Ingests into a new store and waits until all of it can be found by its words.
 * @param {string} code The folder of the program.
 * @param {string} path
 * @param {Buffer} bytes
 */
async function ingest(code, path, bytes) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(resolve(code, 'dist', file)).href);
  const { openStoreAtLocation: open } = await load('store/open-store-at-location.js');
  const { compileGraphSchema: compile } = await load('schema/enforce/compile-graph-schema.js');
  const { Graph } = await load('engine/graph.js');
  const { runIngest } = await load('ingest/run-ingest.js');
  const store = await open(path, { compileGraphSchema: compile });
  await store.createGraph('default');
  await store.write({ graph: 'default' }, author, (/** @type {any} */ writer) => writer.setSchema(schema));
  const graph = new Graph(store, 'default');
  const watch = new Stopwatch();
  await runIngest(
    {
      read: (/** @type {any} */ work) => graph.read(work),
      commit: (/** @type {any} */ work, /** @type {any} */ options) => graph.commit(author, work, options),
    },
    [bytes],
    { mode: 'merge', maxBytes: Number.MAX_SAFE_INTEGER },
  );
  const written = watch.read();
  await indexed(path);
  const all = watch.read();
  await store.close();
  return { written, indexed: all };
}

/** Copies the rows of an ingested store into an empty one, table by table, with prepared statements and nothing else. */
async function bare(/** @type {string} */ from, /** @type {string} */ path) {
  const store = await openStoreAtLocation(path, { compileGraphSchema });
  await store.createGraph('default');
  await store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema));
  await store.close();
  const source = new SqliteConnection(from, { readOnly: true });
  // Each in the order in which the lines bring its rows: a loop over them knows no other.
  const tables = {
    ...{ identity: 'node', node_row: 'row', node_property: 'node', property_value: 'row', edge_row: 'row' },
    ...{ touched: 'kind desc, ref' },
  };
  const contents = [];
  for (const [table, order] of Object.entries(tables)) {
    const rows = await source.all({ sql: `select * from ${table} order by ${order}`, params: [] });
    contents.push({
      table,
      columns: Object.keys(rows[0] ?? {}),
      rows: rows.map((row) => Object.values(row)),
    });
  }
  source.close();
  const target = new SqliteConnection(path);
  defineTextFunctions(target);
  const watch = new Stopwatch();
  target.exec('pragma journal_mode = wal; pragma synchronous = full; begin immediate');
  for (const { table, columns, rows } of contents) {
    if (rows.length > 0) await target.insert(table, columns, rows);
  }
  target.exec('commit');
  const written = watch.read();
  target.exec('begin immediate');
  while ((await indexPending(target, nodes)) > 0);
  target.exec('commit');
  const all = watch.read();
  target.close();
  return { written, indexed: all };
}

/** Waits until the background has entered every text. */
async function indexed(/** @type {string} */ path) {
  const look = new SqliteConnection(path, { readOnly: true });
  while ((await pendingCount(look)) > 0) await delay(5);
  look.close();
}

const here = fileURLToPath(new URL('..', import.meta.url));
/** @type {[string, string][]} */
const versions = [['now', here]];
if (values.old !== undefined) versions.unshift(['before', values.old]);

/** @typedef {{ written: { ms: number, cpuMs: number }, indexed: { ms: number, cpuMs: number } }} Run */

await withScratch(async (/** @type {string} */ folder) => {
  const bytes = lines();
  /** @type {Map<string, Run[]>} */
  const runs = new Map();
  const add = (/** @type {string} */ name, /** @type {Run} */ run) =>
    runs.set(name, [...(runs.get(name) ?? []), run]);
  for (let round = 0; round < Number(values.rounds); round++) {
    const at = (/** @type {string} */ name) => join(folder, `${name} ${round}.db`);
    for (const [name, code] of versions) add(name, await ingest(code, at(name), bytes));
    if (!values.profile) add('bare loop', await bare(at('now'), at('bare')));
  }
  const loops = runs.get('bare loop') ?? [];
  const rows = [...runs].map(([name, all]) => {
    const figure = (/** @type {(run: Run) => number} */ of) => {
      const ratios = loops.map((loop, round) => of(/** @type {Run} */ (all[round])) / of(loop));
      return [`${(median(all.map(of)) / 1000).toFixed(1)} s`, times(median(ratios))];
    };
    const [written, indexed] = [
      (/** @type {Run} */ run) => run.written,
      (/** @type {Run} */ run) => run.indexed,
    ];
    return [
      name,
      ...[written, indexed]
        .flatMap((step) => [figure((run) => step(run).ms), figure((run) => step(run).cpuMs)])
        .flat(),
    ];
  });
  process.stdout.write(`${nodes} nodes, ${edges} edges, ${bytes.length} bytes\n`);
  const header = ['rows', '', 'CPU time', '', 'rows and text index', '', 'CPU time', ''];
  process.stdout.write(`${table(['', ...header], rows)}\n`);
});
