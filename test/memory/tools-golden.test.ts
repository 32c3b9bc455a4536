import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { InFlight } from '../../src/server/in-flight.js';
import { mcpServer } from '../../src/server/mcp-server.js';
import { MemoryTools } from '../helpers/memory-tools.js';
import { scratchStore, storeKinds } from '../helpers/stores.js';

const howToUpdate =
  'What agents see has changed. If that is meant: npx vitest run test/memory/tools-golden.test.ts --update, and commit the diff';

test('the tools, resources, prompts and instructions agents see are the ones on record', async () => {
  const [kind] = storeKinds;
  if (kind === undefined) throw new Error('There is no kind of store.');
  const scratch = await scratchStore(kind);
  const { binding } = new MemoryTools(scratch.store);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'golden', version: '0' });
  await mcpServer(binding, { updates: 'subscribed', calls: new InFlight() }).connect(serverEnd);
  await client.connect(clientEnd);
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  const prompt = await client.getPrompt({ name: 'remember' });
  const seen = {
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools,
    resources,
    prompts,
    prompt,
  };
  await client.close();
  await scratch.dispose();
  await expect(`${JSON.stringify(seen, null, 2)}\n`, howToUpdate).toMatchFileSnapshot('tools.golden.json');
});
