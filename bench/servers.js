// @ts-check
// Several servers on one PostgreSQL database: calls a second, and the CPU time of a call, which can be compared even if
// the processors of this machine are all busy.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { cpuTime, databaseProcesses } from './lib/cpu-time.js';
import { withPostgres } from './lib/postgres.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { median } from './lib/statistics.js';
import { table } from './lib/table.js';
import { makeGraphs, throughput } from './lib/throughput.js';

const { values } = parseArgs({
  options: {
    /**
     * Empty databases, which are measured in turns and left full; without any, one is made. In a database of a Citus
     * cluster with workers, Trellis distributes its tables when it creates them.
     */
    store: { type: 'string', multiple: true, default: [] },
    servers: { type: 'string', default: '1,4' },
    /** With as many graphs as there are clients of all servers, each client has one of its own. */
    graphs: { type: 'string', default: '1,64' },
    /** Of each server. */
    clients: { type: 'string', default: '16' },
    /** Entities of each graph. */
    size: { type: 'string', default: '1000' },
    /** Calls of each kind that each server answers before it is measured. */
    warmup: { type: 'string', default: '1500' },
    /** For each kind of call and each number of servers and graphs. */
    seconds: { type: 'string', default: '5' },
    /** The figures are medians of so many. */
    rounds: { type: 'string', default: '3' },
    /**
     * Of a processor, for each server: fewer processors than servers then do for all of them, as long as clients and database
     * have enough. It needs Linux and root.
     */
    share: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const numbers = (/** @type {string} */ list) => list.split(',').map(Number);
const [serverCounts, graphCounts] = [numbers(values.servers), numbers(values.graphs)];
const [clients, size, rounds] = [Number(values.clients), Number(values.size), Number(values.rounds)];
const timing = { clients, size, warmup: Number(values.warmup), seconds: Number(values.seconds) };
const share = values.share === undefined ? undefined : Number(values.share);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const stores =
  values.store.length > 0
    ? await measure(values.store)
    : await withPostgres(async (makeDatabase) => measure([await makeDatabase()]));
const figures = stores.flatMap(({ layout, loads }) =>
  [...groupBy(loads, ({ servers, graphs, operation }) => `${servers} ${graphs} ${operation}`).values()]
    .map((group) => ({ layout, ...medianLoad(group) }))
    .sort((a, b) => a.graphs - b.graphs || a.servers - b.servers),
);

if (values.json) {
  console.log(JSON.stringify({ node: process.version, cores: cpus().length, figures, stores }, null, 2));
} else {
  console.log(
    `${clients} clients of each server, ${cpus().length} cores, load average ${loadavg()[1]?.toFixed(1)}${share === undefined ? '' : `, ${share} of a core for each server`}`,
  );
  console.log(
    `\nCalls a second\n\n${figureTable((load) => Math.round(load.perSecond).toLocaleString('en'))}`,
  );
  console.log(
    `\nCPU time of a call, servers + database, ms\n\n${figureTable(
      ({ serverCpu, databaseCpu }) => `${serverCpu.toFixed(2)} + ${databaseCpu.toFixed(2)}`,
    )}`,
  );
  console.log(
    `\nCores in use by clients, servers and database\n\n${figureTable(
      ({ perSecond, serverCpu, databaseCpu, clientCpu }) =>
        ((perSecond * (serverCpu + databaseCpu + clientCpu)) / 1_000).toFixed(1),
    )}`,
  );
}

/** @param {readonly string[]} urls */
async function measure(urls) {
  const stores = [];
  for (const url of urls) {
    const store = await openStoreAtLocation(url);
    const layout = (await store.layout?.()) ?? '';
    await store.close();
    const largest = Math.max(...graphCounts);
    progress(`filling ${largest} graphs, ${layout}`);
    const graphs = await makeGraphs(url, largest, size);
    const database = await databaseProcesses(url);
    if (database === undefined || Number.isNaN(cpuTime(database)))
      progress('the database server is not among the processes here: its CPU time is not measured');
    /** @type {import('./lib/throughput.js').Throughput[]} */
    const loads = [];
    stores.push({
      url,
      layout,
      database,
      graphSets: graphCounts.map((count) => graphs.slice(0, count)),
      loads,
    });
  }
  for (let round = 1; round <= rounds; round++) {
    const turns = stores.flatMap((store) => serverCounts.map((servers) => ({ store, servers })));
    for (const { store, servers } of random.shuffle(turns)) {
      progress(`round ${round}: ${servers} of several servers, ${store.layout}`);
      const { url, graphSets, database } = store;
      store.loads.push(...(await throughput(url, { ...timing, servers, graphSets, database, share })));
    }
  }
  return stores.map(({ layout, loads }) => ({ layout, loads }));
}

/** @param {readonly import('./lib/throughput.js').Throughput[]} group */
function medianLoad(group) {
  const [{ servers, graphs, operation }] = /** @type {[import('./lib/throughput.js').Throughput]} */ (group);
  const of = (/** @type {'perSecond' | 'serverCpu' | 'databaseCpu' | 'clientCpu'} */ what) =>
    median(group.map((load) => load[what]));
  return {
    ...{ servers, graphs, operation, perSecond: of('perSecond') },
    ...{ serverCpu: of('serverCpu'), databaseCpu: of('databaseCpu'), clientCpu: of('clientCpu') },
  };
}

/** @param {(load: ReturnType<typeof medianLoad>) => string} shown */
function figureTable(shown) {
  const columns = [...new Set(figures.map(({ operation }) => operation))];
  const rows = groupBy(
    figures,
    ({ layout, servers, graphs }) => `${layout}, ${counted(servers, 'server')}, ${counted(graphs, 'graph')}`,
  );
  return table(
    ['', ...columns],
    [...rows].map(([title, row]) => [
      title,
      ...columns.map((column) => {
        const load = row.find(({ operation }) => operation === column);
        return load === undefined ? '' : shown(load);
      }),
    ]),
  );
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 */
function groupBy(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/**
 * @param {number} count
 * @param {string} what
 */
function counted(count, what) {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
