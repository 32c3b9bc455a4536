import { test } from 'vitest';
import { connectedClient } from '../helpers/connected-client.js';
import { expectOnRecord } from '../helpers/golden.js';
import { MemoryTools } from '../helpers/memory-tools.js';
import { scratchStore, sqlite } from '../helpers/stores.js';

test('the tools, resources, prompts and instructions agents see are the ones on record', async () => {
  const scratch = await scratchStore(sqlite);
  const client = await connectedClient(new MemoryTools(scratch.store).context);
  const seen = {
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
    resources: (await client.listResources()).resources,
    prompts: (await client.listPrompts()).prompts,
    prompt: await client.getPrompt({ name: 'remember' }),
  };
  await client.close();
  await scratch.dispose();
  await expectOnRecord('memory', seen);
});
