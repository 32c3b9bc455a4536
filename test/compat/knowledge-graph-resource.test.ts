import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client as ClientV2, InMemoryTransport as PipeV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as PipeV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  KnowledgeGraphManager,
  registerKnowledgeGraphResource,
  registerKnowledgeGraphSubscriptions,
} from '../../src/compat/server-memory.js';
import { scratchFolder } from '../helpers/stores.js';

const uri = 'memory://knowledge-graph';
const about = { name: 'test', version: '1.0.0' };
const ada = { name: 'Ada', entityType: 'person', observations: ['Writes TypeScript'] };

let folder: string;
let manager: KnowledgeGraphManager;
beforeEach(async () => {
  folder = await scratchFolder();
  manager = new KnowledgeGraphManager(join(folder, 'memory.jsonl'));
});
afterEach(async () => {
  await manager.close();
  await rm(folder, { recursive: true });
});

test('trust 14: a server of version 1 of the SDK shows the graph and tells subscribers of changes', async () => {
  const server = new ServerV1(about);
  registerKnowledgeGraphResource(server, manager);
  registerKnowledgeGraphSubscriptions(server);
  const client = new ClientV1(about);
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  const [here, there] = PipeV1.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  await expectTold(client, heard);
  await client.close();
});

test('trust 14: so does a server of version 2', async () => {
  const server = new ServerV2(about);
  registerKnowledgeGraphResource(server, manager);
  registerKnowledgeGraphSubscriptions(server);
  const client = new ClientV2(about);
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  const [here, there] = PipeV2.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  await expectTold(client, heard);
  await client.close();
});

interface ResourceClient {
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
}

async function expectTold(client: ResourceClient, heard: readonly string[]): Promise<void> {
  await manager.createEntities([ada]);
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([
    { uri, mimeType: 'application/json', text: JSON.stringify({ entities: [ada], relations: [] }, null, 2) },
  ]);
  await client.subscribeResource({ uri });
  await manager.createEntities([{ ...ada, name: 'Bob' }]);
  // What changes nothing is no news.
  await manager.createEntities([ada]);
  await client.unsubscribeResource({ uri });
  await manager.deleteEntities(['Bob']);
  await client.readResource({ uri });
  expect(heard).toEqual([uri]);
}
