// @ts-check
// The server of bench/embedding.js. It answers its parent how far embedding is, and how long its thread stood still.
import { activeEmbeddings } from '../../dist/search/embedding/share-embedding.js';
import { startHttpServer } from '../../dist/server/http/http-server.js';
import { openForBench } from './fairness-store.js';
import { Stalls } from './stalls.js';

const [location = ''] = process.argv.slice(2);
const stalls = new Stalls();
const store = await openForBench(location);
const server = await startHttpServer({
  store,
  port: 0,
  root: { graph: 'small', surface: 'memory' },
  limits: { requestsPerMinute: 1_000_000_000 },
});

/** Whether every text of every graph that was opened for search has its vector. */
async function isEmbedded() {
  const [embedding] = await activeEmbeddings(store);
  for (const graph of embedding?.background.graphs ?? [])
    if (!(await embedding?.background.isComplete(graph))) return false;
  return true;
}

process.on('message', async (message) => {
  if (message === 'state') process.send?.({ embedded: await isEmbedded(), stall: stalls.take() });
  if (message === 'end') {
    await server.close();
    await store.close();
    process.disconnect();
  }
});
process.send?.({ url: server.url });
