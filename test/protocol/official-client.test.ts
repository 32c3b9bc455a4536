import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { memorySurface } from '../../src/surfaces/memory/memory-surface.js';
import { clientOf, type Era, eras } from '../helpers/eras.js';
import { entity } from '../helpers/memory-tools.js';
import { trellis } from '../helpers/stdio-process.js';
import { openWithGraph, scratchFolder } from '../helpers/stores.js';

const uri = 'memory://knowledge-graph';

interface Link {
  readonly client: Client;
  close(): Promise<void>;
}

const transports: { transport: string; connect: (era: Era, folder: string) => Promise<Link> }[] = [
  { transport: 'stdio', connect: overStdio },
  { transport: 'http', connect: overHttp },
  { transport: 'proxy', connect: overProxy },
];

async function overStdio(era: Era, folder: string): Promise<Link> {
  const client = clientOf(era);
  const args = [trellis, 'stdio', '--store', join(folder, 'memory.db')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return { client, close: () => client.close() };
}

async function overHttp(era: Era, folder: string): Promise<Link> {
  const store = await openWithGraph(join(folder, 'memory.db'));
  const server: HttpServer = await startHttpServer({ store, port: 0 });
  const client = clientOf(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  return {
    client,
    async close() {
      await client.close();
      await server.close();
      await store.close();
    },
  };
}

async function overProxy(era: Era, folder: string): Promise<Link> {
  const store = await openWithGraph(join(folder, 'memory.db'));
  const server: HttpServer = await startHttpServer({ store, port: 0 });
  const client = clientOf(era);
  const args = [trellis, 'proxy', '--url', server.url];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return {
    client,
    async close() {
      await client.close();
      await server.close();
      await store.close();
    },
  };
}

describe.each(transports)('the official client over $transport', ({ transport, connect }) => {
  describe.each(eras)('in the protocol of $era', (era) => {
    let folder: string;
    let link: Link;
    let client: Client;

    beforeEach(async () => {
      folder = await scratchFolder();
      link = await connect(era, folder);
      client = link.client;
    });
    afterEach(async () => {
      await link.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('learns who the server is', () => {
      expect(client.getServerVersion()).toMatchObject({ name: 'memory' });
      expect(client.getInstructions()).toBe(memorySurface.instructions);
      const subscribe = transport !== 'stdio' && era.era === '2025' ? undefined : true;
      expect(client.getServerCapabilities()?.resources?.subscribe).toBe(subscribe);
      expect(client.getServerCapabilities()?.tools?.listChanged).toBeUndefined();
    });

    test('lists the nine tools, always in the same order', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(memorySurface.tools.map(({ name }) => name));
      expect((await client.listTools()).tools).toEqual(tools);
    });

    test('writes and reads, and validates every answer', async () => {
      await client.listTools();
      const ada = entity('Ada', ['writes programs'], 'person');
      const created = await client.callTool({ name: 'create_entities', arguments: { entities: [ada] } });
      expect(created.structuredContent).toEqual({ entities: [ada] });
      const read = await client.callTool({ name: 'read_graph', arguments: {} });
      expect(read.structuredContent).toEqual({ entities: [ada], relations: [] });
    });

    test('is told of its mistakes in a result the model can read', async () => {
      const wrong = await client.callTool({ name: 'open_nodes', arguments: { names: 'Ada' } });
      expect(wrong).toMatchObject({ isError: true, content: [{ type: 'text' }] });
      const missing = await client.callTool({
        name: 'add_observations',
        arguments: { observations: [{ entityName: 'X', contents: ['y'] }] },
      });
      expect(missing).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'Entity with name X not found' }],
      });
    });

    test('trust 27: gets a protocol error that names an unknown tool, resource or prompt', async () => {
      await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('unknown tool "nope"'),
      });
      await expect(client.readResource({ uri: 'memory://nope' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('unknown resource "memory://nope"'),
      });
      await expect(client.getPrompt({ name: 'nope' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('unknown prompt "nope"'),
      });
    });

    test('reads the graph and the brief as resources, and the prompts', async () => {
      await client.callTool({ name: 'create_entities', arguments: { entities: [entity('Ada')] } });
      expect((await client.listResources()).resources).toMatchObject([
        { uri, mimeType: 'application/json' },
        { uri: 'trellis://brief', mimeType: 'text/markdown' },
      ]);
      expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
        { uriTemplate: `${uri}{?cursor}`, mimeType: 'application/json' },
      ]);
      const [content] = (await client.readResource({ uri })).contents;
      expect(content).toMatchObject({ uri, mimeType: 'application/json' });
      const text = content !== undefined && 'text' in content ? content.text : '';
      expect(JSON.parse(String(text))).toEqual({ entities: [entity('Ada')], relations: [] });
      const [brief] = (await client.readResource({ uri: 'trellis://brief' })).contents;
      expect(brief).toMatchObject({ text: expect.stringContaining(' Ada (thing)\n') });
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['remember', 'recall', 'review', 'tidy']);
      for (const { name } of prompts) expect((await client.getPrompt({ name })).messages).toHaveLength(1);
    });

    test.runIf(transport === 'stdio' || era.era === '2026')(
      'hears of updates once it has subscribed',
      async () => {
        const heard: string[] = [];
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          heard.push(params.uri);
        });
        const change = (name: string) =>
          client.callTool({ name: 'create_entities', arguments: { entities: [entity(name)] } });
        await change('before');
        const stop = await subscribe(client, era);
        await change('during');
        await expect.poll(() => heard).toEqual([uri]);
        await change('during');
        await stop();
        await change('after');
        await client.listTools();
        expect(heard).toEqual([uri]);
      },
    );

    test('twenty calls in flight are all answered and kept', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `node ${index}`);
      await Promise.all(
        names.map((name) =>
          client.callTool({ name: 'create_entities', arguments: { entities: [entity(name)] } }),
        ),
      );
      const { structuredContent } = await client.callTool({ name: 'open_nodes', arguments: { names } });
      expect(structuredContent).toMatchObject({ entities: { length: 20 } });
    });
  });
});

async function subscribe(client: Client, { era }: Era): Promise<() => Promise<unknown>> {
  if (era === '2025') {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  return () => subscription.close();
}
