// @ts-check
// The server that bench/fairness.js asks too much of. It answers its parent how long its thread stood still.
import { openAccessControl } from '../../dist/access/open-access-control.js';
import { startHttpServer } from '../../dist/server/http/http-server.js';
import { openForBench } from './fairness-store.js';
import { Stalls } from './stalls.js';

const [location = '', tokens = '', policy = ''] = process.argv.slice(2);
const warn = (/** @type {string} */ message) => process.stderr.write(`${message}\n`);
const stalls = new Stalls();

const store = await openForBench(location);
const [first] = await store.graphs();
const server = await startHttpServer({
  store,
  port: 0,
  root: { graph: first?.name ?? 'default', surface: 'memory' },
  access: await openAccessControl(
    { tokens: { file: tokens }, policy: { server: { file: policy } } },
    { warn },
  ),
  settings: () => ({ allowAdhoc: true }),
  // How it holds a single client back is not what is measured.
  limits: { requestsPerMinute: 1_000_000_000 },
});

process.on('message', async (message) => {
  if (message === 'begin') {
    stalls.take();
    process.send?.({});
  }
  if (message === 'stalls') {
    process.send?.({ longest: stalls.take() });
  }
  if (message === 'end') {
    await server.close();
    await store.close();
    process.disconnect();
  }
});
process.send?.({ url: server.url });
