// The server that bench/http.js measures: the memory surface and a tool that does nothing, with or without policy.
// It runs in a process of its own and answers its parent: how long it has computed, how long its thread stood still, how many transactions it made, and when to end.
import { z } from 'zod';
import { openAccessControl } from '../../dist/access/open-access-control.js';
import { Graph } from '../../dist/engine/graph.js';
import { startHttpServer } from '../../dist/server/http/http-server.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';
import { openSurface } from '../../dist/surfaces/surface-registry.js';
import { defineTool } from '../../dist/surfaces/tool.js';
import { reads } from '../../dist/surfaces/tool-annotations.js';
import { Stalls } from './stalls.js';
import { writeTransactions } from './write-transactions.js';

const [path = '', tokens, policy] = process.argv.slice(2);
const warn = (message) => process.stderr.write(`${message}\n`);

const nothing = defineTool({
  name: 'nothing',
  title: 'Nothing',
  description: 'Does nothing.',
  input: z.object({}),
  output: z.object({}),
  annotations: reads,
  action: 'read',
  run: async () => ({}),
});

const stalls = new Stalls();
const store = await openStoreAtLocation(path);
if ((await store.graphs()).length === 0) await store.createGraph('default');
const memory = await openSurface('memory', {
  store,
  graph: new Graph(store, 'default'),
  settings: {},
  warn,
});
const server = await startHttpServer({
  store,
  port: 0,
  root: { graph: 'default', surface: { ...memory, tools: [...memory.tools, nothing] } },
  access:
    tokens === undefined
      ? undefined
      : await openAccessControl({ tokens: { file: tokens }, policy: { server: { file: policy } } }, { warn }),
  // What is measured is how fast it is, not how it holds a client back.
  limits: { requestsPerMinute: 1_000_000_000, concurrency: 1_000 },
});

process.on('message', async (message) => {
  if (message === 'worked') {
    const { user, system } = process.cpuUsage();
    process.send?.({ milliseconds: (user + system) / 1_000 });
  }
  if (message === 'stall') process.send?.({ longest: stalls.take(), computing: stalls.takeComputing() });
  if (message === 'transactions') process.send?.({ made: writeTransactions() });
  if (message === 'end') {
    await server.close();
    await store.close();
    process.disconnect();
  }
});
process.send?.({ url: `${server.url}/mcp` });
