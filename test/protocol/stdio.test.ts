import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/model/limits.js';
import { entity, MemoryTools, namesOf } from '../helpers/memory-tools.js';
import { StdioProcess } from '../helpers/stdio-process.js';
import { openWithGraph, scratchFolder } from '../helpers/stores.js';

describe.each(['memory.db', 'memory.jsonl'])('trellis stdio on %s', (file) => {
  let folder: string;
  let path: string;
  let server: StdioProcess;

  beforeEach(async () => {
    folder = await scratchFolder();
    path = join(folder, file);
    server = new StdioProcess(['--store', path]);
  });
  afterEach(async () => {
    server.child.kill('SIGKILL');
    await server.exited;
    await rm(folder, { recursive: true, force: true });
  });

  async function storedNames(): Promise<string[]> {
    const store = await openWithGraph(path);
    const names = namesOf(await new MemoryTools(store).readGraph());
    await store.close();
    return names;
  }

  test('prints JSON-RPC on stdout and nothing else', async () => {
    await server.initialize();
    await server.callTool('create_entities', { entities: [entity('A')] });
    await server.callTool('nope', {});
    server.child.stdin.write('this is not JSON\n\n[1,2]\n{"jsonrpc":"2.0","id":77}\n');
    await server.callTool('read_graph', {});
    await server.end();
    expect(server.messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(server.messages.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32600,
    ]);
    expect(server.messages.find(({ id }) => id === 77)?.error?.code).toBe(-32600);
    expect(server.stderr).toContain(path);
  });

  test('answers everything it was sent before its input was closed, then ends cleanly', async () => {
    const entities = (index: number) => ({ entities: [entity(`node ${index}`)] });
    server.initialize();
    for (let index = 0; index < 50; index++) server.callTool('create_entities', entities(index));
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(server.messages.filter(({ result }) => result !== undefined)).toHaveLength(51);
    expect(await storedNames()).toHaveLength(50);
  });

  test('takes a last line that has no newline', async () => {
    await server.initialize();
    const call = { jsonrpc: '2.0', id: 99, method: 'tools/call', params: { name: 'read_graph' } };
    server.child.stdin.write(JSON.stringify(call));
    await server.end();
    expect(server.messages.at(-1)).toMatchObject({ id: 99, result: { structuredContent: { entities: [] } } });
  });

  test('ends cleanly when it was never spoken to', async () => {
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(server.lines).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'on %s finishes the writes in progress',
    async (signal) => {
      await server.initialize();
      for (let index = 0; index < 200; index++) {
        server.callTool('create_entities', { entities: [entity(`node ${index}`, ['x'.repeat(1000)])] });
      }
      await expect.poll(() => server.lines.length).toBeGreaterThan(1);
      server.child.kill(signal);
      expect(await server.exited).toEqual({ code: 0, signal: null });
      const acknowledged = server.messages.filter(
        ({ result }) => result?.['structuredContent'] !== undefined,
      ).length;
      expect(acknowledged).toBeGreaterThan(0);
      expect(await storedNames()).toHaveLength(acknowledged);
    },
  );

  test('a cancelled write is finished before the process ends', async () => {
    await server.initialize();
    server.callTool('create_entities', { entities: [entity('cancelled')] });
    server.write({ method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(await storedNames()).toEqual(['cancelled']);
  });

  test('refuses a message that is too long, naming the bound, and goes on', async () => {
    await server.initialize();
    const long = await server.callTool('search_nodes', { query: 'x'.repeat(limits.requestBytes) });
    expect(long.error?.message).toContain(String(limits.requestBytes));
    expect(await server.callTool('read_graph', {})).toMatchObject({ result: { structuredContent: {} } });
  });

  test('refuses a message that is no UTF-8 under its id, stores nothing of it, and goes on', async () => {
    await server.initialize();
    const call = { name: 'create_entities', arguments: { entities: [entity('caf\u00e9', [])] } };
    const line = JSON.stringify({ jsonrpc: '2.0', id: 6000, method: 'tools/call', params: call });
    server.child.stdin.write(Buffer.from(`${line}\n`, 'latin1'));
    await expect
      .poll(() => server.messages.find(({ id }) => id === 6000))
      .toMatchObject({
        error: { code: -32700, message: expect.stringContaining('UTF-8') },
      });
    await server.callTool('create_entities', { entities: [entity('tea', [])] });
    await server.end();
    expect(await storedNames()).toEqual(['tea']);
  });

  test('takes a message of 3 MB', async () => {
    await server.initialize();
    const fact = 'x'.repeat(3_000_000);
    const answer = await server.callTool('create_entities', { entities: [entity('big', [fact])] });
    expect(answer.result?.['isError']).toBeUndefined();
    await server.end();
    expect(await storedNames()).toEqual(['big']);
  });

  test('very deep JSON is answered with an error', async () => {
    await server.initialize();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const call = `{"jsonrpc":"2.0","id":5000,"method":"tools/call","params":{"name":"open_nodes","arguments":{"names":${deep}}}}`;
    server.child.stdin.write(`${call}\n`);
    await expect.poll(() => server.messages.some(({ id }) => id === 5000)).toBe(true);
    expect(await server.callTool('read_graph', {})).toMatchObject({ result: { structuredContent: {} } });
  });
});

test('the graph surface on stdio answers health and graphs_list without listing them', async () => {
  const folder = await scratchFolder();
  const server = new StdioProcess(['--store', join(folder, 'graph.db'), '--surface', 'graph']);
  try {
    await server.initialize();
    const { result: listed = {} } = await server.request('tools/list');
    const names = (listed['tools'] as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('snapshot');
    expect(names).not.toContain('health');
    expect((await server.callTool('health', {})).result?.['structuredContent']).toMatchObject({
      status: 'ok',
    });
    const graphs = { graphs: [{ graph_id: 'default' }] };
    expect((await server.callTool('graphs_list', {})).result?.['structuredContent']).toEqual(graphs);
    const { result: read = {} } = await server.request('resources/read', { uri: 'omnigraph://graphs' });
    const [content] = read['contents'] as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toEqual(graphs);
    await server.end();
  } finally {
    server.child.kill('SIGKILL');
    await server.exited;
    await rm(folder, { recursive: true, force: true });
  }
});
