// @ts-check
// The mesh tools with many schemas: what tools/list costs once the tools are made, and a generated tool beside a static one.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshSeed, randomFrom } from './lib/random.js';
import { withScratch } from './lib/scratch.js';
import { trellisCommand } from './lib/servers.js';
import { median, quantile } from './lib/statistics.js';
import { StdioClient } from './lib/stdio-client.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

/**
 * A measured call, made anew for each turn.
 * @typedef {{ name: string, run: (turn: number) => Promise<unknown> }} Measured
 */

const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: '40' },
    calls: { type: 'string', default: '200' },
    warmup: { type: 'string', default: '50' },
    dir: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const count = Number(values.schemas);
const random = randomFrom(Number(values.seed ?? freshSeed()));

const { first, bytes, tools, figures } = await withScratch(async (folder) => {
  await writeSchemas(join(folder, 'schemas'));
  const place = ['--store', join(folder, 'mesh.db'), '--schemas', join(folder, 'schemas')];
  const client = await StdioClient.connect(trellisCommand('stdio', '--surface', 'mesh', ...place));
  const start = performance.now();
  const list = await client.request('tools/list', {});
  const first = performance.now() - start;
  await client.call('add_nodes', { nodes: [{ name: 'here', nodeType: 'kind1', metadata: [] }] });
  const figures = await measure(measuredCalls(client));
  await client.stop();
  return { first, bytes: JSON.stringify(list).length, tools: list.tools.length, figures };
}, values.dir);

const of = (/** @type {string} */ name) =>
  figures.find((figure) => figure.name === name)?.median ?? Number.NaN;
const targets = [
  { what: 'tools/list after the first', measured: of('tools/list'), atMost: 5, format: milliseconds },
  { what: 'add_kind0 beside add_nodes', measured: of('add_kind0') / of('add_nodes'), atMost: 1.2 },
];
if (values.json) {
  console.log(JSON.stringify({ node: process.version, tools, bytes, first, figures, targets }, null, 2));
} else {
  console.log(
    `${tools} tools of ${count} schemas, ${bytes} characters; the first list took ${milliseconds(first)}\n`,
  );
  console.log(
    table(
      ['call', 'median', 'p95', 'beside add_nodes'],
      figures.map(({ name, median, p95 }) => [
        name,
        milliseconds(median),
        milliseconds(p95),
        times(median / of('add_nodes')),
      ]),
    ),
  );
  console.log(`\n${targetTable(targets)}`);
}
if (!targets.every(isMet)) process.exitCode = 1;

/**
 * The generated calls write what the static ones write.
 * @param {StdioClient} client
 * @returns {Measured[]}
 */
function measuredCalls(client) {
  const metadata = ['Role: a role', 'Status: Active', 'Traits: brave, wise'];
  const given = { role: 'a role', status: 'Active', traits: ['brave', 'wise'] };
  return [
    { name: 'tools/list', run: () => client.request('tools/list', {}) },
    {
      name: 'add_nodes',
      run: (turn) =>
        client.call('add_nodes', { nodes: [{ name: `static ${turn}`, nodeType: 'kind0', metadata }] }),
    },
    {
      name: 'add_kind0',
      run: (turn) => client.call('add_kind0', { kind0: { name: `generated ${turn}`, ...given } }),
    },
    {
      name: 'add_nodes, then add_edges',
      run: async (turn) => {
        const name = `static, placed ${turn}`;
        const placed = [...metadata, 'Current Location: here'];
        await client.call('add_nodes', { nodes: [{ name, nodeType: 'kind0', metadata: placed }] });
        await client.call('add_edges', { edges: [{ from: name, to: 'here', edgeType: 'located_in' }] });
      },
    },
    {
      name: 'add_kind0 with a relationship',
      run: (turn) =>
        client.call('add_kind0', {
          kind0: { name: `generated, placed ${turn}`, ...given, currentLocation: 'here' },
        }),
    },
    {
      name: 'update_kind0',
      run: (turn) =>
        client.call('update_kind0', { kind0: { name: `generated ${turn}`, status: 'Inactive' } }),
    },
  ];
}

/**
 * Every call once in each round, in a new order, so that what the machine does meanwhile hits all alike.
 * @param {readonly Measured[]} calls
 */
async function measure(calls) {
  const warmup = Number(values.warmup);
  const samples = calls.map(({ name, run }) => ({ name, run, times: /** @type {number[]} */ ([]) }));
  for (let turn = 0; turn < warmup + Number(values.calls); turn++) {
    // What is updated must be there, so the last comes last.
    for (const sample of [...random.shuffle(samples.slice(0, -1)), ...samples.slice(-1)]) {
      const start = performance.now();
      await sample.run(turn);
      if (turn >= warmup) sample.times.push(performance.now() - start);
    }
  }
  return samples.map(({ name, times }) => ({ name, median: median(times), p95: quantile(times, 0.95) }));
}

/** @param {string} folder */
async function writeSchemas(folder) {
  await mkdir(folder);
  for (let index = 0; index < count; index++) {
    const type = `kind${index}`;
    const schema = {
      name: `add_${type}`,
      description: `Add a node of kind ${index} to the knowledge graph`,
      properties: {
        name: { type: 'string', description: 'The name', required: true },
        role: { type: 'string', description: 'The role or occupation', required: true },
        status: {
          type: 'string',
          description: 'The current status',
          required: true,
          enum: ['Active', 'Inactive', 'Missing'],
        },
        traits: { type: 'array', description: 'What it is like' },
        currentLocation: {
          type: 'string',
          description: 'Where it is',
          relationship: { edgeType: 'located_in', nodeType: 'kind1', description: 'The place it is in' },
        },
      },
    };
    await writeFile(join(folder, `${type}.schema.json`), JSON.stringify(schema));
  }
}
