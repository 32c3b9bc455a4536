// @ts-check
// Queries on a large graph beside SQL that somebody wrote by hand for the same tables, or beside the same in memory, on
// SQLite or PostgreSQL. All are run in a read of the store, which finds the graph and the branch and keeps to one state of
// them. With `--old folder`, the built code in another folder answers the same queries on the same file, in turns.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { AdjacencyByHand } from './lib/adjacency-by-hand.js';
import { withPostgres } from './lib/postgres.js';
import { fillPeople, questions } from './lib/query-set.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';
import { WordsByHand } from './lib/words-by-hand.js';

/**
 * What a reader of a database works with, which is not for everybody.
 * @typedef {object} Insides
 * @property {import('../dist/store/sql/executor.js').Executor} executor
 * @property {import('../dist/store/sql/lineage.js').Lineage} lineage
 */

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    nodes: { type: 'string', default: '100000' },
    /** How many times as many calls as usual. */
    effort: { type: 'string', default: '1' },
    explain: { type: 'boolean', default: false },
    /** The root of another version, built. */
    old: { type: 'string' },
    /** Only queries whose names contain this. */
    only: { type: 'string', default: '' },
    dir: { type: 'string' },
    /** A database to fill, or one that was filled before. */
    file: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const size = Number(values.nodes);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const figures = values.store === 'postgres' ? await onPostgres() : await onSqlite();
const targets = figures.flatMap(({ name, ratio, own, old, isLarge }) => [
  ...(ratio === null
    ? []
    : [{ what: `${name} beside what is written by hand`, measured: ratio, atMost: 2, format: times }]),
  ...(old === null || !isLarge
    ? []
    : [{ what: `${name}, times as fast as before`, measured: old / own, atLeast: 5, format: times }]),
]);
if (values.json) {
  console.log(
    JSON.stringify({ node: process.version, store: values.store, size, figures, targets }, null, 2),
  );
} else {
  console.log(`${values.store}, ${size} nodes, ${size * 3} edges\n`);
  console.log(
    table(
      ['query', 'rows', 'query', 'by hand', 'ratio', ...(values.old === undefined ? [] : ['before'])],
      figures.map(({ name, rows, own, bare, ratio, old }) => [
        ...[name, String(rows), milliseconds(own)],
        ...(bare === null || ratio === null ? ['', ''] : [milliseconds(bare), times(ratio)]),
        ...(old === null ? [] : [milliseconds(old)]),
      ]),
    ),
  );
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

function onSqlite() {
  if (values.file !== undefined) return measure(values.file, sqliteText, async () => {});
  return withScratch((folder) => measure(join(folder, 'people.db'), sqliteText, async () => {}), values.dir);
}

function onPostgres() {
  return withPostgres(async (makeDatabase) => {
    const url = await makeDatabase();
    return measure(url, postgresText, async () => {
      const client = new pg.Client({ connectionString: url, options: '-c search_path=trellis' });
      await client.connect();
      await client.query('analyze');
      await client.end();
    });
  });
}

/** @param {string} sql */
function sqliteText(sql) {
  return sql
    .replaceAll(/\$json\(([^,]+), (\w+)\)/g, "$1 -> '$.$2'")
    .replaceAll(/\$(?:text|number)\(([^,]+), (\w+)\)/g, "($1 ->> '$.$2')")
    .replaceAll(/\$named\((\w+)\)/g, '$1.name = ?')
    .replaceAll(/\$list\(([\w.]+)\)/g, '$1 in (select value from json_each(?))')
    .replaceAll(/\$unindexed\(([\w.]+)\)/g, '+$1')
    .replaceAll('$binary', '');
}

/** @param {string} sql */
function postgresText(sql) {
  return (
    sql
      .replaceAll(/\$json\(([^,]+), (\w+)\)/g, "($1::json -> '$2')::text")
      .replaceAll(/\$text\(([^,]+), (\w+)\)/g, "($1::json ->> '$2')")
      .replaceAll(/\$number\(([^,]+), (\w+)\)/g, "($1::json ->> '$2')::float8")
      // The key has the hash of the name: whoever writes by hand would use it, too.
      .replaceAll(
        /\$named\((\w+)\)/g,
        "$1.name_hash = encode(substring(sha256(convert_to(?, 'UTF8')) from 1 for 16), 'hex')::uuid",
      )
      .replaceAll(/\$list\(([\w.]+)\)/g, '$1 = any(?)')
      .replaceAll(/\$unindexed\(([\w.]+)\)/g, '$1')
      .replaceAll('$binary', ' collate "C"')
  );
}

/**
 * @param {import('../dist/store/reader.js').Reader} reader
 * @returns {Insides}
 */
function insidesOf(reader) {
  return /** @type {any} */ (reader);
}

/**
 * @param {string} place
 * @param {(sql: string) => string} textOf
 * @param {() => Promise<void>} settle Done once the graph is filled.
 */
async function measure(place, textOf, settle) {
  const store = await openStoreAtLocation(place);
  if ((await store.graphs()).length === 0) {
    progress('filling');
    const start = performance.now();
    await fillPeople(store, size, random);
    await settle();
    progress(`filled in ${milliseconds(performance.now() - start)}`);
  }
  const target = { graph: 'people' };
  const { graph, levels } = await store.read(target, async (reader) => insidesOf(reader).lineage);
  const asked = (/** @type {number} */ turn) =>
    questions(graph, levels[0].branch, size, turn, { age: 1, minutes: 2 });
  const allBy = (/** @type {import('../dist/store/reader.js').Reader} */ reader) =>
    /** @type {import('./lib/query-forms.js').ByHand['all']} */ (
      (sql, params) =>
        insidesOf(reader).executor.all({ sql: textOf(sql), params: /** @type {any} */ (params) })
    );
  const seen = [graph, levels[0].branch];
  const inMemory = await store.read(target, async (reader) => ({
    adjacency: await AdjacencyByHand.read(allBy(reader), seen),
    words: await WordsByHand.read(allBy(reader), seen, '$text(a.props, note)'),
  }));
  const before = await openOld(place);
  const found = [];
  for (const [index, first] of asked(0).entries()) {
    const { name, calls: usual, isLarge = false, options } = first;
    if (!name.includes(values.only)) continue;
    const calls = Math.ceil(usual * Number(values.effort));
    // Where a call takes microseconds, JavaScript has to be compiled for them to count.
    const warmup = usual > 10 ? usual : 1;
    if (values.explain) {
      const plan = await store.read(target, (reader) => reader.explain(first.query));
      progress(`${name}: ${plan.steps.join('; ')}\n${plan.sql}\n`);
    }
    /** @type {Record<'own' | 'bare' | 'old', number[]>} */
    const samples = { own: [], bare: [], old: [] };
    /** @type {Map<string, number | null>} */
    const counts = new Map();
    for (let turn = 0; turn < calls + warmup; turn++) {
      const question = /** @type {import('./lib/query-forms.js').Question} */ (asked(turn)[index]);
      const { query, sql, byHand, params = [] } = question;
      const lanes = {
        own: () => answer(store, query, options),
        old: () => (before === undefined ? null : answer(before, query, options)),
        bare: () =>
          byHand === undefined && sql === undefined
            ? null
            : store.read(
                target,
                async (reader) => {
                  if (byHand !== undefined) return byHand({ all: allBy(reader), ...inMemory });
                  const rows = await allBy(reader)(sql ?? '', params);
                  return rows.map((row) => Object.values(row)).length;
                },
                options,
              ),
      };
      for (const lane of random.shuffle(/** @type {const} */ (['own', 'bare', 'old']))) {
        const began = performance.now();
        counts.set(lane, await lanes[lane]());
        if (turn >= warmup) samples[lane].push(performance.now() - began);
      }
      for (const lane of ['bare', 'old']) {
        const count = counts.get(lane) ?? null;
        if (count !== null && count !== counts.get('own'))
          throw new Error(`${name}: ${counts.get('own')} rows, ${lane} ${count}`);
      }
    }
    const own = median(samples.own);
    const bare = (counts.get('bare') ?? null) === null ? null : median(samples.bare);
    const old = (counts.get('old') ?? null) === null ? null : median(samples.old);
    const ratio = bare === null ? null : own / bare;
    found.push({ name, rows: counts.get('own') ?? 0, own, bare, ratio, old, isLarge });
    progress(`${name}: ${milliseconds(own)}`);
  }
  await before?.close();
  await store.close();
  return found;
}

/**
 * @param {import('../dist/store/store-contract.js').Store} store
 * @param {import('./lib/query-forms.js').RowQuery} query
 * @param {import('../dist/store/read-options.js').ReadOptions} [options]
 */
async function answer(store, query, options) {
  const { rows } = await store.read(
    { graph: 'people' },
    (reader) => reader.query(query, { maxRows: 100_000 }),
    options,
  );
  return rows.length;
}

/**
 * @param {string} place
 * @returns {Promise<import('../dist/store/store-contract.js').Store | undefined>}
 */
async function openOld(place) {
  if (values.old === undefined) return undefined;
  const file = pathToFileURL(resolve(values.old, 'dist/store/open-store-at-location.js')).href;
  const { openStoreAtLocation: open } = await import(file);
  return open(place);
}
