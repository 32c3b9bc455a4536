// @ts-check
// Keeps a server with tokens and a policy busy, and fails if it dies: `npm run policy-load -- --minutes 10`.
// `--node` runs the server on another Node, `--program` another build of it.
import { parseArgs } from 'node:util';
import { freshSeed, randomFrom } from '../../../bench/lib/random.js';
import { withScratch } from '../../../bench/lib/scratch.js';
import { quantile } from '../../../bench/lib/statistics.js';
import { loads } from './loads.js';
import { defaultProgram, startServer } from './server.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    /** Clients with a grant, each with a token of its own. */
    clients: { type: 'string', default: '200' },
    /** Connections of an actor without any grant, who tries names of graphs. */
    strangers: { type: 'string', default: '12' },
    node: { type: 'string', default: process.execPath },
    program: { type: 'string', default: defaultProgram },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? freshSeed());
const clients = Number(values.clients);
const seconds = Math.min(Number(values.minutes), 60) * 60;

await withScratch(async (folder) => {
  const server = await startServer(folder, { node: values.node, program: values.program, clients });
  const begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1_000;
  const isOver = () => server.died() !== undefined || elapsed() > seconds;
  console.log(`${server.version}, ${clients} clients, ${values.strangers} strangers, seed ${seed}`);
  const ticking = setInterval(() => console.error(`${elapsed().toFixed(0)} s`), 30_000);
  const kinds = await loads({
    server,
    clients,
    strangers: Number(values.strangers),
    random: randomFrom(seed),
    isOver,
  });
  clearInterval(ticking);
  for (const [kind, { times, statuses }] of kinds) {
    const told = [0.5, 0.99, 1].map((part) => `${quantile(times, part).toFixed(1)} ms`);
    console.log(
      `${kind}: ${times.length} requests, p50 ${told[0]}, p99 ${told[1]}, longest ${told[2]}; ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
  }
  const { computed, resident } = await server.end();
  const died = server.died();
  if (died === undefined) {
    console.log(
      `alive after ${elapsed().toFixed(0)} s; ${computed.toFixed(0)} s computed, ${resident.toFixed(0)} MB resident`,
    );
  } else {
    console.log(`DIED after ${elapsed().toFixed(0)} s: ${died}`);
    process.exitCode = 1;
  }
});
