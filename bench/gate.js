// @ts-check
// A write through the gate beside the same write past it: the cost of checking, finding, stamping and suggesting.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Graph } from '../dist/engine/graph.js';
import { createKeyedNode } from '../dist/engine/write/create-keyed-node.js';
import { localRequestContext } from '../dist/server/session.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';
import { callTool } from '../dist/surfaces/dispatch.js';
import { memorySurface } from '../dist/surfaces/memory/memory-surface.js';
import { openSurface } from '../dist/surfaces/surface-registry.js';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    /** Nodes in the graph before anything is measured. */
    sizes: { type: 'string', default: '1000,20000' },
    calls: { type: 'string', default: '300' },
    warmup: { type: 'string', default: '50' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const calls = Number(values.calls);
const warmup = Number(values.warmup);
const random = randomFrom(Number(values.seed ?? freshSeed()));
const author = { actor: 'bench', tool: 'bench' };

const figures = [];
for (const size of values.sizes.split(',').map(Number)) {
  figures.push(await withScratch((folder) => measure(join(folder, 'gate.db'), size), values.dir));
}

const targets = figures.flatMap(({ size, create, createPast, update, updatePast }) => [
  { what: `create at ${size} nodes, beside create_entities`, measured: create / createPast, atMost: 1.5 },
  { what: `update at ${size} nodes, beside add_observations`, measured: update / updatePast, atMost: 1.5 },
]);

if (values.json) console.log(JSON.stringify({ node: process.version, figures, targets }, null, 2));
else {
  console.log(
    table(
      ['nodes', 'create, gated', 'ungated', 'ratio', 'update, gated', 'ungated', 'ratio'],
      figures.map(({ size, create, createPast, update, updatePast }) => [
        size.toLocaleString('en'),
        milliseconds(create),
        milliseconds(createPast),
        times(create / createPast),
        milliseconds(update),
        milliseconds(updatePast),
        times(update / updatePast),
      ]),
    ),
  );
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

/**
 * @param {string} path
 * @param {number} size
 */
async function measure(path, size) {
  const store = await openStoreAtLocation(path);
  try {
    await store.createGraph('default');
    const graph = new Graph(store, 'default');
    await fill(graph, size);
    const gated = await caller(
      store,
      graph,
      await openSurface('gate', { store, graph, settings: {}, warn() {} }),
    );
    const past = await caller(store, graph, memorySurface);
    /** @type {Record<'create' | 'createPast' | 'update' | 'updatePast', number[]>} */
    const samples = { create: [], createPast: [], update: [], updatePast: [] };
    for (let call = 0; call < warmup + calls; call += 1) {
      const name = `${word()} ${word()} ${call}`;
      const round = [
        ['create', () => gated('write_node', write(`${name} a`, { role: 'cook', age: call }))],
        ['createPast', () => past('create_entities', entity(`${name} b`, ['role: cook', `age: ${call}`]))],
        ['update', () => gated('write_node', write(`${name} a`, { city: `Ulm ${call}` }))],
        ['updatePast', () => past('add_observations', observation(`${name} b`, `city: Ulm ${call}`))],
      ];
      // Who goes first pays for what came before.
      const ordered = random.next() < 0.5 ? round : [round[1], round[0], round[3], round[2]];
      for (const [kind, run] of /** @type {[keyof typeof samples, () => Promise<void>][]} */ (ordered)) {
        const start = performance.now();
        await run();
        if (call >= warmup) samples[kind].push(performance.now() - start);
      }
    }
    return {
      size,
      create: median(samples.create),
      createPast: median(samples.createPast),
      update: median(samples.update),
      updatePast: median(samples.updatePast),
    };
  } finally {
    await store.close();
  }
}

/**
 * People with two properties each, and a schema that allows more of them.
 * @param {Graph} graph
 * @param {number} size
 */
async function fill(graph, size) {
  await graph.write(author, async (tx) => {
    const props = { allowed: true, required_properties: ['name'], property_types: { age: 'integer' } };
    await createKeyedNode(tx, { type: 'Schema', names: ['Person'], props });
  });
  for (let from = 0; from < size; from += 1_000) {
    await graph.write(author, async (tx) => {
      for (let at = from; at < Math.min(size, from + 1_000); at += 1) {
        const name = `${word()} ${word()} ${at}`;
        await createKeyedNode(tx, { type: 'Person', names: [name], props: { name, role: 'cook', age: at } });
      }
    });
  }
}

/**
 * @param {import('../dist/store/store-contract.js').Store} store
 * @param {Graph} graph
 * @param {import('../dist/surfaces/surface.js').Surface} surface
 */
async function caller(store, graph, surface) {
  const context = await localRequestContext({ store, graph: graph.name, surface });
  return async (/** @type {string} */ tool, /** @type {object} */ args) => {
    const { isError, structuredContent, content } = await callTool(context, tool, args);
    if (isError || structuredContent?.['status'] === 'rejected')
      throw new Error(`${tool} failed on ${store.location}: ${content[0]?.text}`);
  };
}

/**
 * @param {string} name
 * @param {object} properties
 */
function write(name, properties) {
  return { label: 'Person', merge_keys: { name }, properties, source: 'bench', extraction_method: 'api' };
}

/**
 * @param {string} name
 * @param {string[]} observations
 */
function entity(name, observations) {
  return { entities: [{ name, entityType: 'Person', observations }] };
}

/**
 * @param {string} entityName
 * @param {string} text
 */
function observation(entityName, text) {
  return { observations: [{ entityName, contents: [text] }] };
}

/** Six letters that look like a name. */
function word() {
  const letter = (/** @type {string} */ letters) => random.pick([...letters]);
  return Array.from({ length: 3 }, () => `${letter('bdfgklmnprstvz')}${letter('aeiou')}`).join('');
}
