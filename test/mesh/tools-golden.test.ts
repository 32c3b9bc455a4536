import { fileURLToPath } from 'node:url';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { InFlight } from '../../src/server/in-flight.js';
import { mcpServer } from '../../src/server/mcp-server.js';
import { MeshTools } from '../helpers/mesh-tools.js';
import { scratchStore, sqlite } from '../helpers/stores.js';

const howToUpdate =
  'What agents see has changed. If that is meant: npx vitest run test/mesh/tools-golden.test.ts --update, and commit the diff';

test('the static tools, those of the npc schema, and the instructions are the ones on record', async () => {
  const scratch = await scratchStore(sqlite);
  const mesh = await MeshTools.open(scratch.store, fileURLToPath(new URL('schemas', import.meta.url)));
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'golden', version: '0' });
  await mcpServer(mesh.binding, { updates: 'subscribed', calls: new InFlight() }).connect(serverEnd);
  await client.connect(clientEnd);
  const { tools } = await client.listTools();
  const seen = {
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: tools.filter(({ name }) => !/_(location|quest)$/.test(name)),
  };
  await client.close();
  await mesh.close();
  await scratch.dispose();
  await expect(`${JSON.stringify(seen, null, 2)}\n`, howToUpdate).toMatchFileSnapshot('tools.golden.json');
});
