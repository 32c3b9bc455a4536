import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { asTrellisError } from '../../src/model/error.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { memorySurface } from '../../src/surfaces/memory/memory-surface.js';
import type { Surface } from '../../src/surfaces/surface.js';
import { defineTool } from '../../src/surfaces/tool.js';
import { reads } from '../../src/surfaces/tool-annotations.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { withClient } from './helpers.js';

const secret = "Cannot find module '/home/ann/trellis/secret.js'";

function fail(): never {
  throw new TypeError(secret);
}

const uri = 'memory://broken';
/** As if a tool and a resource had a defect. */
const broken: Surface = {
  ...memorySurface,
  name: 'broken',
  tools: [
    defineTool({
      name: 'broken',
      title: 'Broken',
      description: 'Fails.',
      input: z.object({}),
      output: z.object({}),
      annotations: reads,
      action: 'read',
      run: async () => fail(),
    }),
  ],
  resources: memorySurface.resources.map((resource) => ({ ...resource, uri, read: async () => fail() })),
};

let scratch: Scratch;
let server: HttpServer;
let reported: unknown[];

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
  reported = [];
  server = await startHttpServer({
    store: scratch.store,
    port: 0,
    root: { graph: 'default', surface: broken },
    report: (error) => reported.push(error),
  });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
});

test('what a tool throws that is a defect is for the log; a client learns that it is one', async () => {
  const result = await withClient(`${server.url}/mcp`, (client) =>
    client.callTool({ name: 'broken', arguments: {} }),
  );
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).toContain('A defect in Trellis');
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(reported.map((error) => asTrellisError(error).message)).toEqual([secret]);
});

test('so is what a resource throws', async () => {
  const reading = withClient(`${server.url}/mcp`, (client) => client.readResource({ uri }));
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('A defect in Trellis');
  expect(JSON.stringify(error)).not.toContain('secret');
  expect(reported.map((one) => asTrellisError(one).message)).toContain(secret);
});
