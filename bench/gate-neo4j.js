// @ts-check
// A write through the gate to Neo4j beside the same MERGE through the driver, in turn: what checking, finding,
// comparing and stamping costs there.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import neo4j from 'neo4j-driver';
import { KeptConnection } from '../dist/cypher/cypher-access.js';
import { neo4jDialect } from '../dist/cypher/dialects/neo4j-dialect.js';
import { CypherTarget } from '../dist/gate/cypher/cypher-target.js';
import { Gate } from '../dist/gate/gate.js';
import { InMemorySource } from '../dist/gate/registry/registry-snapshot.js';
import { prepareNeo4j } from '../scripts/graph-databases/neo4j.js';
import { median } from './lib/statistics.js';
import { milliseconds, table, times } from './lib/table.js';
import { isMet, targetTable } from './lib/targets.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500' },
    warmup: { type: 'string', default: '300' },
    /** Each has calls of both kinds; the ratios of all are printed. */
    rounds: { type: 'string', default: '3' },
    /** A server that runs already; default: one is started. */
    target: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const calls = Number(values.calls);
const warmup = Number(values.warmup);
const rounds = Number(values.rounds);
const origin = { source: 'bench', extraction_method: 'api', reliability: 1 };
const author = { actor: 'bench', tool: 'write_node' };

const { server, url } =
  values.target === undefined ? await startNeo4j() : { server: undefined, url: values.target };
const driver = neo4j.driver(url);
const access = new KeptConnection({ url });
await access.use(async (connection) => {
  for (const label of ['Gated', 'Merged'])
    for (const command of neo4jDialect.constraints.create({ label, properties: ['name'] }))
      await connection.alter(command);
});
const gate = await Gate.open({
  source: new InMemorySource({ nodes: [{ label: 'Gated', required_properties: ['name'] }] }),
});
const target = new CypherTarget(access);

/** @param {string} name @param {number} age */
async function gated(name, age) {
  const answer = await gate.writeNode(target, author, {
    label: 'Gated',
    merge_keys: { name },
    properties: { age },
    ...origin,
  });
  if (answer.status !== 'written') throw new Error(JSON.stringify(answer));
}

/** As the seed of the gate has it. @param {string} name @param {number} age */
async function merged(name, age) {
  await driver.executeQuery(
    `MERGE (n:Merged {name: $name}) SET n += $properties, n.confidence = $confidence, n.source = $source,
     n.extraction_method = $method, n.write_gate_version = $version, n.last_updated = datetime()`,
    {
      name,
      properties: { age: neo4j.int(age) },
      confidence: 1,
      source: 'bench',
      method: 'api',
      version: '1.0.0',
    },
  );
}

/** @param {(name: string, age: number) => Promise<void>} write @param {string} name @param {number} age */
async function timed(write, name, age) {
  const began = performance.now();
  await write(name, age);
  return performance.now() - began;
}

/** @type {{ what: string, gated: number, merged: number, ratios: number[] }[]} */
const figures = [];
const kinds = [
  { what: 'create', nameOf: (/** @type {number} */ index) => `new ${Math.random()} ${index}` },
  { what: 'update', nameOf: (/** @type {number} */ index) => `known ${index % 50}` },
];
/** @type {number[]} */
const none = [];
const all = kinds.map((kind) => ({ ...kind, gated: none, merged: none, ratios: none }));
for (let round = 0; round < rounds; round += 1)
  for (const kind of all) {
    const gatedTimes = [];
    const mergedTimes = [];
    for (let index = round === 0 ? -warmup : 0; index < calls; index += 1) {
      const one = await timed(gated, kind.nameOf(index), index + warmup);
      const other = await timed(merged, kind.nameOf(index), index + warmup);
      if (index < 0) continue;
      gatedTimes.push(one);
      mergedTimes.push(other);
    }
    kind.gated = [...kind.gated, ...gatedTimes];
    kind.merged = [...kind.merged, ...mergedTimes];
    kind.ratios = [...kind.ratios, median(gatedTimes) / median(mergedTimes)];
  }
for (const { what, gated, merged, ratios } of all)
  figures.push({ what, gated: median(gated), merged: median(merged), ratios });
await access.close();
await driver.close();
await server?.stop();

const targets = figures.map(({ what, gated, merged }) => ({
  what: `${what}, beside MERGE`,
  measured: gated / merged,
  atMost: 1.5,
}));
if (values.json) console.log(JSON.stringify({ node: process.version, figures, targets }, null, 2));
else {
  console.log(
    table(
      ['Neo4j', 'gated', 'MERGE', 'ratio', 'rounds'],
      figures.map(({ what, gated, merged, ratios }) => [
        what,
        milliseconds(gated),
        milliseconds(merged),
        times(gated / merged),
        ratios.map(times).join(' '),
      ]),
    ),
  );
  console.log(targetTable(targets));
}
if (!targets.every(isMet)) process.exitCode = 1;

async function startNeo4j() {
  const prepared = await prepareNeo4j();
  if (prepared.create === undefined) throw new Error(prepared.missing);
  const server = prepared.create();
  return { server, url: await server.start() };
}
