// @ts-check
// Queries on a large graph beside SQL that somebody wrote by hand for the same tables, on SQLite or PostgreSQL.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStore } from '../dist/store/open.js';
import { binding } from '../dist/store/sqlite/binding.js';
import { withPostgres } from './lib/postgres.js';
import { fillPeople, questions } from './lib/query-set.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

/** @typedef {(sql: string, params: readonly (string | number)[]) => Promise<unknown[]>} Bare Answers the number of rows. */

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
const targets = figures.map(({ name, ratio }) => ({
  ...{ what: `${name} beside SQL by hand`, measured: ratio, atMost: 2, format: times },
}));
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
        ...[name, String(rows), milliseconds(own), milliseconds(bare), times(ratio)],
      ]),
    ),
  );
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

async function onSqlite() {
  return withScratch(async (folder) => {
    const path = join(folder, 'people.db');
    const database = () => new binding.Database(path);
    return measure(path, async () => {
      const connection = database();
      /** @type {Map<string, any>} */
      const statements = new Map();
      return {
        run: async (sql, params) => {
          const statement = statements.get(sql) ?? connection.prepare(sqliteText(sql));
          statements.set(sql, statement);
          return statement.all(...params);
        },
        close: async () => connection.close(),
      };
    });
  }, values.dir);
}

async function onPostgres() {
  return withPostgres(async (makeDatabase) => {
    const url = await makeDatabase();
    return measure(url, async () => {
      const pool = new pg.Pool({ connectionString: url, options: '-c search_path=trellis' });
      await pool.query('analyze');
      return {
        run: async (sql, params) => {
          const text = postgresText(sql);
          return (await pool.query({ name: `bench ${text.length}`, text, values: [...params] })).rows;
        },
        close: () => pool.end(),
      };
    });
  });
}

/** @param {string} sql */
function sqliteText(sql) {
  return sql
    .replaceAll(/\$json\(([^,]+), (\w+)\)/g, "$1 -> '$.$2'")
    .replaceAll(/\$(?:text|number)\(([^,]+), (\w+)\)/g, "($1 ->> '$.$2')")
    .replaceAll('$binary', '');
}

/** @param {string} sql */
function postgresText(sql) {
  let count = 0;
  return sql
    .replaceAll(/\$json\(([^,]+), (\w+)\)/g, "$1::json -> '$2'")
    .replaceAll(/\$text\(([^,]+), (\w+)\)/g, "($1::json ->> '$2')")
    .replaceAll(/\$number\(([^,]+), (\w+)\)/g, "($1::json ->> '$2')::float8")
    .replaceAll('$binary', ' collate "C"')
    .replaceAll('order by b, c', 'order by b, c')
    .replaceAll('?', () => `$${++count}`);
}

/**
 * @param {string} place
 * @param {() => Promise<{ run: Bare, close: () => Promise<unknown> }>} openBare
 */
async function measure(place, openBare) {
  const store = await openStore(place);
  progress('filling');
  const start = performance.now();
  await fillPeople(store, size, random);
  progress(`filled in ${milliseconds(performance.now() - start)}`);
  const bare = await openBare();
  const [graph] = /** @type {any[]} */ (await bare.run("select id from graph where name = 'people'", []));
  const [branch] = /** @type {any[]} */ (await bare.run('select id from branch where graph = ?', [graph.id]));
  const places = questions(Number(graph.id), Number(branch.id), size, 0, { age: 1, minutes: 2 });
  const found = [];
  for (const [index, { name, calls: usual, query }] of places.entries()) {
    const calls = Math.ceil(usual * Number(values.effort));
    const samples = { own: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
    let rows = 0;
    if (values.explain) {
      const plan = await store.read({ graph: 'people' }, (reader) => reader.explain(query));
      progress(`${name}: ${plan.steps.join('; ')}\n${plan.sql}`);
    }
    for (let turn = 0; turn < calls + 3; turn++) {
      const question = /** @type {import('./lib/query-set.js').Question} */ (
        questions(Number(graph.id), Number(branch.id), size, turn, { age: 1, minutes: 2 })[index]
      );
      const lanes = {
        own: async () =>
          (
            await store.read({ graph: 'people' }, (reader) =>
              reader.query(question.query, { maxRows: 100_000 }),
            )
          ).rows.length,
        bare: async () => (await bare.run(question.sql, question.params)).length,
      };
      const counts = { own: 0, bare: 0 };
      for (const lane of random.shuffle(/** @type {const} */ (['own', 'bare']))) {
        const began = performance.now();
        counts[lane] = await lanes[lane]();
        if (turn >= 3) samples[lane].push(performance.now() - began);
      }
      if (counts.own !== counts.bare) throw new Error(`${name}: ${counts.own} rows, by hand ${counts.bare}`);
      rows = counts.own;
    }
    const [own, byHand] = [median(samples.own), median(samples.bare)];
    found.push({ name, rows, own, bare: byHand, ratio: own / byHand });
  }
  await bare.close();
  await store.close();
  return found;
}
