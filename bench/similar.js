// @ts-check
// Similar nodes at size, through a store as a server uses it: made-up vectors of several perspectives, in topics, with
// pairs that are known to be similar. Says what finding pairs in advance costs, what the first call of a new process costs
// after that, also after writes, on a branch and for less similar pairs, what it costs without, which reads all vectors, and
// how many of the known pairs are found.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Graph } from '../dist/engine/graph.js';
import { createNodesLenient } from '../dist/engine/write/create-nodes-lenient.js';
import { embedGraph } from '../dist/search/embedding/embed-graph.js';
import { resolveSpaces } from '../dist/search/embedding/embedding-spaces.js';
import { defaultPerspectives } from '../dist/search/perspectives.js';
import { maintainSimilarNodes } from '../dist/search/similar/maintain-similar-nodes.js';
import { similarNodes } from '../dist/search/similar/similar-nodes.js';
import { hiddenRegistry } from '../dist/store/graph-targets.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { withPostgres } from './lib/postgres.js';
import { randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { table } from './lib/table.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20000' },
    dimension: { type: 'string', default: '768' },
    perspectives: { type: 'string', default: '5' },
    store: { type: 'string', default: 'sqlite' },
    dir: { type: 'string' },
    // Leaves out the calls that read and compare all vectors.
    warm: { type: 'boolean', default: false },
  },
});
const size = Number(values.nodes);
const dimension = Number(values.dimension);
const perspectives = defaultPerspectives.slice(0, Number(values.perspectives));
const topics = 300;
const minScore = 0.75;
const lowScore = 0.5;
const progress = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** @param {number} seed */
function randomUnit(seed) {
  const random = randomFrom(seed + 1);
  const vector = new Float32Array(dimension);
  // A sum of a few even numbers is nearly normal.
  for (let axis = 0; axis < dimension; axis++)
    vector[axis] = random.below(65_536) + random.below(65_536) + random.below(65_536) - 98_302.5;
  return unit(vector);
}

/** @param {Float32Array} vector */
function unit(vector) {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return vector.map((value) => value / Math.sqrt(squares));
}

/**
 * What all texts share, what those of a topic share, and what is their own; one in ten is near to another one.
 * @param {number} node
 * @param {number} perspective
 * @returns {Float32Array}
 */
function vectorOf(node, perspective) {
  const own = randomUnit(node * 7 + perspective + 1_000);
  if (node % 10 === 9) {
    const near = vectorOf(node - 1 - (node % 7), perspective);
    const share = 0.72 + (0.26 * (node % 1_000)) / 1_000;
    return unit(near.map((value, axis) => share * value + Math.sqrt(1 - share ** 2) * (own[axis] ?? 0)));
  }
  const [common, topic] = [randomUnit(perspective), randomUnit(10 + (node % topics))];
  return unit(own.map((value, axis) => 0.75 * value + 0.5 * (common[axis] ?? 0) + 0.6 * (topic[axis] ?? 0)));
}

/** @type {import('../dist/search/embedders/embedder.js').Embedder} */
const embedder = {
  ...{ id: 'bench', perspectives: 'all', canShorten: false, batchSize: 1_000, meaningWeight: 1 },
  dimension: async () => dimension,
  embed: async (texts, _kind, { name }) => {
    const perspective = perspectives.findIndex((each) => each.name === name);
    // A node's own text is not compared.
    return texts.map((text) =>
      text.startsWith('text ') ? vectorOf(Number(text.slice(5)), perspective) : new Float32Array(dimension),
    );
  },
};

if (values.store === 'postgres') await withPostgres(async (makeDatabase) => measure(await makeDatabase()));
else await withScratch((folder) => measure(join(folder, 'similar.db')), values.dir);

/** @param {string} place */
async function measure(place) {
  let store = await openStoreAtLocation(place);
  await store.createGraph('similar');
  const graphOn = (/** @type {string} */ branch) =>
    new Graph(store, 'similar', { registry: hiddenRegistry }).withBranch(branch);
  /** As a new process finds it. */
  const reopen = async () => {
    await store.close();
    store = await openStoreAtLocation(place);
  };
  const write = (/** @type {number} */ from, /** @type {number} */ to, branch = 'main') =>
    graphOn(branch).write({ actor: 'bench', tool: 'fill' }, (tx) =>
      createNodesLenient(
        tx,
        Array.from({ length: to - from }, (_, at) => ({
          ...{ name: `node ${from + at}`, type: 'thing', observations: [`text ${from + at}`] },
        })),
      ),
    );
  const embed = () => {
    if (store.vectors === null) throw new Error('This store keeps no vectors.');
    return embedGraph({ vectors: store.vectors, graph: 'similar', embedder, perspectives });
  };
  progress('filling');
  for (let from = 0; from < size; from += 1_000) await write(from, Math.min(size, from + 1_000));
  progress('embedding');
  await embed();
  const spaces = await resolveSpaces({ embedder, perspectives });
  /** @type {(string | number)[][]} */
  const rows = [];
  const timed = async (/** @type {string} */ name, /** @type {() => Promise<string>} */ work) => {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const said = await work();
    const seconds = (performance.now() - start) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    rows.push([name, `${seconds.toFixed(1)} s`, `${((user + system) / 1e6).toFixed(1)} s`]);
    progress(`${name}: ${seconds.toFixed(1)} s, ${said}`);
  };
  const call = (/** @type {string} */ name, { branch = 'main', least = minScore } = {}) =>
    timed(name, async () => {
      const request = { limit: 20, minScore: least };
      const found = await graphOn(branch).read((reader) => similarNodes(reader, spaces, request), {
        length: 'thorough',
      });
      return `${found.pairs.length} pairs. ${found.warnings.join(' ')}`;
    });
  const maintain = (/** @type {string} */ name) =>
    timed(name, async () => {
      const known = spaces.known ? spaces.spaces : [];
      let steps = 0;
      const pause = async () => {
        steps += 1;
      };
      await maintainSimilarNodes({ store, graph: 'similar', spaces: known, sliceMs: 1_000, pause });
      return `${steps} steps`;
    });
  const low = `min_score ${lowScore}`;
  if (!values.warm) {
    await call('first call, nothing found in advance');
    for (let time = 0; time < 2; time++) await call('again');
    await reopen();
    await call(`first call, nothing found in advance, ${low}`, { least: lowScore });
    await reopen();
  }
  const { data } = await store.size();
  await maintain('finding all pairs in advance');
  const saved = (await store.size()).data - data;
  await reopen();
  await call('first call of a new process');
  await call('again');
  await reopen();
  await call(`first call of a new process, ${low}`, { least: lowScore });
  await write(size, size + 100);
  await embed();
  await reopen();
  await call('first call of a new process, after 100 more nodes');
  await call('again, after 100 more nodes');
  await write(size + 100, size + 1_100);
  await embed();
  await reopen();
  await maintain('bringing it up to date after 1,100 more nodes');
  await reopen();
  await call('first call of a new process, after that');
  await store.createBranch('similar', 'branch');
  await write(size + 1_100, size + 1_200, 'branch');
  await write(size + 1_200, size + 1_300);
  await embed();
  await reopen();
  await call('first call on a branch with 100 more nodes, while main has 100 others', { branch: 'branch' });
  await call('again', { branch: 'branch' });
  await reopen();
  await call(`first call on that branch, ${low}`, { branch: 'branch', least: lowScore });
  const [space] = spaces.known ? spaces.spaces : [];
  if (space === undefined) throw new Error('There is no space.');
  const near = await graphOn('main').read((reader) => reader.nearNodePairs(space, { minScore }), {
    length: 'thorough',
  });
  await store.close();
  const found = new Set(near.pairs.map(({ a, b }) => `${a} ${b}`));
  let [known, recalled] = [0, 0];
  // Nodes have the ids of their order.
  for (let node = 9; node < size; node += 10) {
    const other = node - 1 - (node % 7);
    const [one, two] = [vectorOf(node, 0), vectorOf(other, 0)];
    if (one.reduce((sum, value, axis) => sum + value * (two[axis] ?? 0), 0) < minScore) continue;
    known += 1;
    if (found.has(`${other + 1} ${node + 1}`)) recalled += 1;
  }
  const { rss } = process.memoryUsage();
  console.log(
    `${values.store}, ${size} nodes, ${dimension} numbers, ${perspectives.length} perspectives; ${Math.round(rss / 1e6)} MB in memory, ${Math.round(saved / 1e6)} MB saved\n`,
  );
  console.log(
    table(
      ['call', 'time', 'CPU time of this process'],
      rows.map((row) => row.map(String)),
    ),
  );
  console.log(
    `\n${recalled} of ${known} known pairs of the first perspective are found (${((100 * recalled) / known).toFixed(2)} %).`,
  );
}
