import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../src/server/http/http-server.js';
import { meshInstructions } from '../../src/surfaces/mesh/mesh-surface.js';
import { clientOf, type Era, eras } from '../helpers/eras.js';
import { node } from '../helpers/mesh-tools.js';
import { trellis } from '../helpers/stdio-process.js';
import { openWithGraph, scratchFolder } from '../helpers/stores.js';

const samples = fileURLToPath(new URL('schemas', import.meta.url));

interface Link {
  readonly client: Client;
  close(): Promise<void>;
}

const transports: { transport: string; connect: (era: Era, folder: string) => Promise<Link> }[] = [
  { transport: 'stdio', connect: overStdio },
  { transport: 'http', connect: overHttp },
];

async function overStdio(era: Era, folder: string): Promise<Link> {
  const client = clientOf(era);
  const place = ['--store', join(folder, 'mesh.db'), '--schemas', join(folder, 'schemas')];
  const args = [trellis, 'stdio', '--surface', 'mesh', ...place];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return { client, close: () => client.close() };
}

async function overHttp(era: Era, folder: string): Promise<Link> {
  const store = await openWithGraph(join(folder, 'mesh.db'));
  const http = await startHttpServer({
    store,
    port: 0,
    settings: () => ({ schemas: join(folder, 'schemas') }),
  });
  const client = clientOf(era);
  const url = new URL(`${http.url}/graphs/default/mesh/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url));
  return {
    client,
    async close() {
      await client.close();
      await http.close();
      await store.close();
    },
  };
}

describe.each(transports)(
  'the official client on the mesh surface over $transport',
  ({ transport, connect }) => {
    describe.each(eras)('in the protocol of $era', (era) => {
      let folder: string;
      let link: Link;
      let client: Client;
      const announces = transport === 'stdio' || era.era === '2026';

      beforeEach(async () => {
        folder = await scratchFolder();
        await cp(samples, join(folder, 'schemas'), { recursive: true });
        link = await connect(era, folder);
        client = link.client;
      });
      afterEach(async () => {
        await link.close();
        await rm(folder, { recursive: true, force: true });
      });

      test('learns who the server is, and whether it will be told of new tools', () => {
        expect(client.getServerVersion()).toMatchObject({ name: 'memorymesh' });
        expect(client.getInstructions()).toBe(meshInstructions);
        expect(client.getServerCapabilities()?.tools?.listChanged).toBe(announces ? true : undefined);
      });

      test('lists static and generated tools, always in the same order', async () => {
        const { tools } = await client.listTools();
        expect(tools).toHaveLength(20);
        expect((await client.listTools()).tools).toEqual(tools);
      });

      test('writes and reads with generated tools, and validates every answer, also of failed calls', async () => {
        await client.listTools();
        const npc = { name: 'Gandalf', role: 'Wizard', status: 'Active' };
        const added = await client.callTool({ name: 'add_npc', arguments: { npc } });
        expect(added.structuredContent).toMatchObject({
          data: { nodes: [node('Gandalf', ['Role: Wizard', 'Status: Active'], 'npc')], edges: [] },
          actionTaken: 'Created npc: Gandalf',
        });
        const again = await client.callTool({ name: 'add_npc', arguments: { npc } });
        expect(again).toMatchObject({
          isError: true,
          structuredContent: { error: 'Node already exists: Gandalf. Consider updating existing node.' },
        });
        const opened = await client.callTool({ name: 'open_nodes', arguments: { names: ['Gandalf'] } });
        expect(opened.structuredContent).toMatchObject({ actionTaken: 'Retrieved 1 nodes' });
      });

      test.runIf(announces)('is told when a schema file has changed the list of tools', async () => {
        let heard = 0;
        client.setNotificationHandler('notifications/tools/list_changed', () => {
          heard += 1;
        });
        const subscription = era.era === '2026' ? await client.listen({ toolsListChanged: true }) : undefined;
        const ship = { name: 'add_ship', description: 'Add a ship', properties: {} };
        await writeFile(join(folder, 'schemas', 'ship.schema.json'), JSON.stringify(ship));
        await expect.poll(() => heard).toBe(1);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name).slice(-3)).toEqual(['add_ship', 'update_ship', 'delete_ship']);
        const added = await client.callTool({ name: 'add_ship', arguments: { ship: { name: 'Vingilot' } } });
        expect(added.isError).toBe(false);
        await subscription?.close();
      });
    });
  },
);
