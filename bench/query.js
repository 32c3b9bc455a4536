// @ts-check
// Queries on a large graph beside SQL that somebody wrote by hand for the same tables, on SQLite or PostgreSQL. Both are
// run in a read of the store, which finds the graph and the branch and keeps to one state of them.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { withPostgres } from './lib/postgres.js';
import { fillPeople, questions } from './lib/query-set.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

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
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const size = Number(values.nodes);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const figures = values.store === 'postgres' ? await onPostgres() : await onSqlite();
const targets = figures.flatMap(({ name, ratio }) =>
  ratio === null ? [] : [{ what: `${name} beside SQL by hand`, measured: ratio, atMost: 2, format: times }],
);
if (values.json) {
  console.log(
    JSON.stringify({ node: process.version, store: values.store, size, figures, targets }, null, 2),
  );
} else {
  console.log(`${values.store}, ${size} nodes, ${size * 3} edges\n`);
  console.log(
    table(
      ['query', 'rows', 'query', 'by hand', 'ratio'],
      figures.map(({ name, rows, own, bare, ratio }) => [
        ...[name, String(rows), milliseconds(own)],
        ...(bare === null || ratio === null ? ['', ''] : [milliseconds(bare), times(ratio)]),
      ]),
    ),
  );
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

function onSqlite() {
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
  progress('filling');
  const start = performance.now();
  await fillPeople(store, size, random);
  await settle();
  progress(`filled in ${milliseconds(performance.now() - start)}`);
  const target = { graph: 'people' };
  const { graph, levels } = await store.read(target, async (reader) => insidesOf(reader).lineage);
  const asked = (/** @type {number} */ turn) =>
    questions(graph, levels[0].branch, size, turn, { age: 1, minutes: 2 });
  const found = [];
  for (const [index, { name, calls: usual, query, sql }] of asked(0).entries()) {
    const calls = Math.ceil(usual * Number(values.effort));
    // Where a call takes microseconds, JavaScript has to be compiled for them to count.
    const warmup = usual;
    const text = sql === undefined ? undefined : textOf(sql);
    if (values.explain) {
      const plan = await store.read(target, (reader) => reader.explain(query));
      progress(`${name}: ${plan.steps.join('; ')}\n${plan.sql}\n`);
    }
    const samples = { own: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
    let rows = 0;
    for (let turn = 0; turn < calls + warmup; turn++) {
      const question = /** @type {import('./lib/query-set.js').Question} */ (asked(turn)[index]);
      const lanes = {
        own: async () => {
          const answer = await store.read(target, (reader) =>
            reader.query(question.query, { maxRows: 100_000 }),
          );
          return answer.rows.length;
        },
        bare: async () => {
          if (text === undefined) return null;
          const answer = await store.read(target, (reader) =>
            insidesOf(reader).executor.all({ sql: text, params: question.params ?? [] }),
          );
          return answer.map((row) => Object.values(row)).length;
        },
      };
      const counts = { own: 0, bare: /** @type {number | null} */ (0) };
      for (const lane of random.shuffle(/** @type {const} */ (['own', 'bare']))) {
        const began = performance.now();
        const count = await lanes[lane]();
        if (turn >= warmup) samples[lane].push(performance.now() - began);
        if (lane === 'bare') counts.bare = count;
        else counts.own = count ?? 0;
      }
      if (counts.bare !== null && counts.own !== counts.bare)
        throw new Error(`${name}: ${counts.own} rows, by hand ${counts.bare}`);
      rows = counts.own;
    }
    const own = median(samples.own);
    const byHand = text === undefined ? null : median(samples.bare);
    found.push({ name, rows, own, bare: byHand, ratio: byHand === null ? null : own / byHand });
  }
  await store.close();
  return found;
}
