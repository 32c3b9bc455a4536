import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { mayEverything } from '../../src/access/permission.js';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph.js';
import { InFlight } from '../../src/server/in-flight.js';
import { mcpServer } from '../../src/server/mcp-server.js';
import { openMemorySqlite } from '../../src/store/sqlite/sqlite-store.js';
import { toolsOf } from '../../src/surfaces/registry.js';
import { noServer, surfaceOn } from '../helpers/surfaces.js';
import { actor } from './gate-client.js';

const howToUpdate =
  'What agents see has changed. If that is meant: npx vitest run test/gate/tools-golden.test.ts --update, and commit the diff';

test('the tools and instructions agents see are the ones on record', async () => {
  const store = await openMemorySqlite();
  await store.createGraph(defaultGraph);
  const surface = await surfaceOn('gate', { store });
  const binding = {
    surface,
    graph: new Graph(store, defaultGraph),
    actor,
    may: mayEverything,
    server: noServer,
    report: () => {},
  };
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'golden', version: '0' });
  await mcpServer(binding, { updates: 'subscribed', calls: new InFlight() }).connect(serverEnd);
  await client.connect(clientEnd);
  const { tools } = await client.listTools();
  const seen = {
    server: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools,
    resources: (await client.listResources()).resources,
    prompts: (await client.listPrompts()).prompts,
  };
  await client.close();
  await store.close();
  await expect(`${JSON.stringify(seen, null, 2)}\n`, howToUpdate).toMatchFileSnapshot('tools.golden.json');
});

test('whoever may write through the gate, and nothing else, sees its three tools and nothing of the memory', async () => {
  const gateOnly = (permissions: readonly { action: string }[]) =>
    permissions.every(({ action }) => action === 'gate_write');
  const names = async (surface: string) =>
    toolsOf({ surface: await surfaceOn(surface), actor, may: gateOnly }).map(({ name }) => name);
  expect(await names('gate')).toEqual(['write_node', 'write_relationship', 'refresh_schema_cache']);
  expect(await names('memory')).toEqual([]);
});
