import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { connectedClient } from '../helpers/connected-client.js';
import { expectOnRecord } from '../helpers/golden.js';
import { MeshTools } from '../helpers/mesh-tools.js';
import { scratchStore, sqlite } from '../helpers/stores.js';

test('the static tools, those of the npc schema, and the instructions match the golden file', async () => {
  const scratch = await scratchStore(sqlite);
  const mesh = await MeshTools.open(scratch.store, fileURLToPath(new URL('schemas', import.meta.url)));
  const client = await connectedClient(mesh.context);
  const { tools } = await client.listTools();
  const seen = {
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: tools.filter(({ name }) => !/_(location|quest)$/.test(name)),
  };
  await client.close();
  await mesh.close();
  await scratch.dispose();
  await expectOnRecord('mesh', seen);
});
