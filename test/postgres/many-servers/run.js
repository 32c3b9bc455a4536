// @ts-check
// The full figure: `npm run many-servers`.
import { parseArgs } from 'node:util';
import { HttpServer } from '../../../bench/lib/http-server.js';
import { withPostgres } from '../../../bench/lib/postgres.js';
import { freshSeed } from '../../../bench/lib/random.js';
import { budget, Crowd } from './crowd.js';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '4' },
    clients: { type: 'string', default: '25' },
    writes: { type: 'string', default: '10000' },
    /** An empty database, which stays full; without one, it is made. */
    store: { type: 'string' },
    seed: { type: 'string' },
  },
});
const clients = Number(values.clients);
const writes = Number(values.writes);
const seed = Number(values.seed ?? freshSeed());

if (values.store === undefined)
  await withPostgres(async (makeDatabase, description) => run(await makeDatabase(), description));
else await run(values.store, 'the database given');

/**
 * @param {string} url
 * @param {string} description
 */
async function run(url, description) {
  const servers = await Promise.all(
    Array.from({ length: Number(values.servers) }, () => HttpServer.start(url)),
  );
  const crowd = new Crowd(seed);
  const goesOn = budget(writes);
  const start = performance.now();
  await Promise.all(servers.map((server, nth) => crowd.write(server, `s${nth}`, clients, goesOn)));
  const seconds = (performance.now() - start) / 1_000;
  // Each server must show the whole, whichever of them wrote it; this throws at the first thing lost or torn.
  for (const server of servers) await crowd.check(server);
  await Promise.all(servers.map((server) => server.stop()));
  const { acknowledged } = crowd.ledger;
  console.log(`${servers.length} servers × ${clients} clients on ${description}`);
  console.log(
    `${acknowledged} of ${writes} writes acknowledged, 0 lost, 0 partial; ${Math.round(acknowledged / seconds)} a second, ` +
      `the longest took ${Math.round(crowd.longest)} ms; seed ${seed}`,
  );
  if (acknowledged !== writes) process.exitCode = 1;
}
