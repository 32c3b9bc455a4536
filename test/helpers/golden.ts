import { expect } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { connectedClient } from './connected-client.js';
import { emptyStore, requestContextOn, surfaceOn } from './surfaces.js';

/** Compares all that agents see of a surface on an empty graph with what is on record. */
export async function expectSurfaceOnRecord(name: string): Promise<void> {
  const store = await emptyStore();
  const surface = await surfaceOn(name, { store });
  const client = await connectedClient(requestContextOn(surface, new Graph(store, defaultGraph)));
  const seen = {
    server: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
    resources: (await client.listResources()).resources,
    prompts: (await client.listPrompts()).prompts,
  };
  await client.close();
  await store.close();
  await expectOnRecord(name, seen);
}

/** Compares what agents see of a surface with what is on record in its folder of tests. */
export async function expectOnRecord(surface: string, seen: object): Promise<void> {
  const howToUpdate = `What agents see has changed. If that is meant: npx vitest run test/${surface}/tools-golden.test.ts --update, and commit the diff`;
  await expect(`${JSON.stringify(seen, null, 2)}\n`, howToUpdate).toMatchFileSnapshot(
    `../${surface}/tools.golden.json`,
  );
}
