// @ts-check
// The first query after a start, of each kind, over stdio and HTTP, beside the same query asked again.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { HttpServer } from './lib/http-server.js';
import { fillPeople, personName } from './lib/query-set.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { trellisCommand } from './lib/servers.js';
import { median } from './lib/statistics.js';
import { StdioClient } from './lib/stdio-client.js';
import { milliseconds, table } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '7' },
    /** Only queries whose names contain this. */
    only: { type: 'string', default: '' },
    dir: { type: 'string' },
    /** A database to fill, or one that was filled before. */
    file: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const thinkingMs = 500;
const size = Number(values.nodes);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const anybody = personName(Math.floor(size / 2));

/** @type {Record<string, string>} By kind; none takes long by itself. */
const queries = {
  'key look-up': `$p: Person { name: "${anybody}" } } return { $p.name, $p.age }`,
  'equality, indexed': '$p: Person { age: 42 } } return { $p.name } limit 10',
  'one hop': `$p: Person { name: "${anybody}" }  $p \`Knows\` $q } return { $q.name }`,
  'two hops': `$p: Person { name: "${anybody}" }  $p \`Knows\`{1,2} $q } return { $q.name }`,
  search: '$p: Person  search($p.note, "12345") } return { $p.name }',
  block: `$p: Person { name: "${anybody}" } } return { count { $p \`Knows\` $_ } as n }`,
};

/**
 * @typedef {object} Connection
 * @property {() => Promise<unknown>} list
 * @property {(source: string) => Promise<unknown>} query
 * @property {() => Promise<unknown>} end
 */

/** @type {Record<string, (file: string) => Promise<Connection>>} */
const transports = {
  async stdio(file) {
    const client = await StdioClient.connect(
      trellisCommand('stdio', '--store', file, '--surface', 'graph', '--graph', 'people'),
    );
    return {
      list: () => client.call('branches_list', {}),
      query: (source) => client.call('query', { source }),
      end: () => client.stop(),
    };
  },
  async http(file) {
    const server = await HttpServer.start(file);
    return {
      list: () => server.callAt('/graphs/people/mcp', 'branches_list', {}),
      query: (source) => server.callAt('/graphs/people/mcp', 'query', { source }),
      end: () => server.stop(),
    };
  },
};

const figures =
  values.file === undefined
    ? await withScratch((folder) => measure(join(folder, 'people.db')), values.dir)
    : await measure(values.file);
const targets = figures.map(({ kind, transport, first }) => ({
  ...{ what: `first ${kind} over ${transport}`, measured: first, atMost: 100, format: milliseconds },
}));
if (values.json) {
  console.log(JSON.stringify({ node: process.version, size, figures, targets }, null, 2));
} else {
  console.log(
    table(
      ['query', 'over', 'first', 'again'],
      figures.map(({ kind, transport, first, again }) => [
        kind,
        transport,
        milliseconds(first),
        milliseconds(again),
      ]),
    ),
  );
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

/** @param {string} file */
async function measure(file) {
  const store = await openStoreAtLocation(file);
  if ((await store.graphs()).length === 0) await fillPeople(store, size, random);
  await store.close();
  const found = [];
  for (const [transport, connect] of Object.entries(transports)) {
    for (const [kind, query] of Object.entries(queries)) {
      if (!kind.includes(values.only)) continue;
      const source = `query q() { match { ${query} }`;
      /** @type {number[]} */
      const first = [];
      /** @type {number[]} */
      const again = [];
      for (let run = 0; run < Number(values.runs); run++) {
        const { list, query: ask, end } = await connect(file);
        // A client lists tools or branches, and then a model takes a moment.
        await list();
        await delay(thinkingMs);
        for (const times of [first, again]) {
          const began = performance.now();
          await ask(source);
          times.push(performance.now() - began);
        }
        await end();
      }
      found.push({ kind, transport, first: median(first), again: median(again) });
    }
  }
  return found;
}
