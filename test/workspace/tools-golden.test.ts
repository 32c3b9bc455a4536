import { expect, test } from 'vitest';
import { expectOnRecord } from '../helpers/golden.js';
import { scratchStore, sqlite } from '../helpers/stores.js';
import { WorkspaceTools } from '../helpers/workspace-tools.js';

test('the tools and the instructions are the ones on record', async () => {
  const scratch = await scratchStore(sqlite);
  const workspace = await WorkspaceTools.open(scratch.store);
  const { client } = workspace;
  const seen = {
    server: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
  };
  await workspace.close();
  await scratch.dispose();
  expect(seen.tools).toHaveLength(24);
  await expectOnRecord('workspace', seen);
});
