import { expect, test } from 'vitest';
import { scratchStore, sqlite } from '../helpers/stores.js';
import { WorkspaceTools } from '../helpers/workspace-tools.js';

const howToUpdate =
  'What agents see has changed. If that is meant: npx vitest run test/workspace/tools-golden.test.ts --update, and commit the diff';

test('the tools and the instructions are the ones on record', async () => {
  const scratch = await scratchStore(sqlite);
  const { client, ...tools } = await WorkspaceTools.open(scratch.store);
  const seen = {
    server: client.getServerVersion()?.name,
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
  };
  await client.close();
  await tools.surface.close?.();
  await scratch.dispose();
  expect(seen.tools).toHaveLength(24);
  await expect(`${JSON.stringify(seen, null, 2)}\n`, howToUpdate).toMatchFileSnapshot('tools.golden.json');
});
