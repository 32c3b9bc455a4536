// @ts-check
// Ingest into SQLite beside a bare loop of prepared statements that fills the same rows and the same text index.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Graph } from '../dist/engine/graph.js';
import { runIngest } from '../dist/ingest/run-ingest.js';
import { compileGraphSchema } from '../dist/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { SqliteConnection } from '../dist/store/sqlite/sqlite-connection.js';
import { defineTextFunctions } from '../dist/store/sqlite/text/sqlite-text-search.js';
import { indexPending, pendingCount } from '../dist/store/sqlite/text/text-index.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    edges: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
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

/** Ingests into a new store and waits until all of it can be found by its words. */
async function ingest(/** @type {string} */ path, /** @type {Buffer} */ bytes) {
  const store = await openStoreAtLocation(path, { compileGraphSchema });
  await store.createGraph('default');
  await store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema));
  const graph = new Graph(store, 'default');
  const start = performance.now();
  await runIngest({ commit: (work, options) => graph.commit(author, work, options) }, [bytes], {
    mode: 'merge',
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
  const written = performance.now() - start;
  await indexed(path);
  const all = performance.now() - start;
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
  const start = performance.now();
  target.exec('pragma journal_mode = wal; pragma synchronous = full; begin immediate');
  for (const { table, columns, rows } of contents) {
    if (rows.length > 0) await target.insert(table, columns, rows);
  }
  target.exec('commit');
  const written = performance.now() - start;
  target.exec('begin immediate');
  while ((await indexPending(target, nodes)) > 0);
  target.exec('commit');
  const all = performance.now() - start;
  target.close();
  return { written, indexed: all };
}

/** Waits until the background has entered every text. */
async function indexed(/** @type {string} */ path) {
  const look = new SqliteConnection(path, { readOnly: true });
  while ((await pendingCount(look)) > 0) await delay(5);
  look.close();
}

await withScratch(async (/** @type {string} */ folder) => {
  const bytes = lines();
  /** @type {{ ours: { written: number, indexed: number }, loop: { written: number, indexed: number } }[]} */
  const runs = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const path = join(folder, `ingest-${round}.db`);
    const ours = await ingest(path, bytes);
    if (values.profile) continue;
    runs.push({ ours, loop: await bare(path, join(folder, `bare-${round}.db`)) });
  }
  const figure = (/** @type {(run: typeof runs[number]) => number} */ of) => median(runs.map(of));
  const result = {
    nodes,
    edges,
    bytes: bytes.length,
    rows: {
      ingest_ms: Math.round(figure(({ ours }) => ours.written)),
      loop_ms: Math.round(figure(({ loop }) => loop.written)),
    },
    rows_and_text_index: {
      ingest_ms: Math.round(figure(({ ours }) => ours.indexed)),
      loop_ms: Math.round(figure(({ loop }) => loop.indexed)),
      ratio: Number(figure(({ ours, loop }) => ours.indexed / loop.indexed).toFixed(2)),
    },
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
});
