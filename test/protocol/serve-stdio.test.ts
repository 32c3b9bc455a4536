import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveStdio } from '../../src/server/stdio/serve-stdio.js';
import { entity, MemoryTools } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

/** The session within one process, where its streams can be broken at will. */
describe.each(storeKinds)('a stdio session on $kind', (kind) => {
  let scratch: Scratch;
  let stdin: PassThrough;
  let stdout: PassThrough;
  let session: Promise<void>;
  let listeners: number;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    listeners = process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');
    stdin = new PassThrough();
    stdout = new PassThrough();
    session = serveStdio({ store: scratch.store, stdin, stdout, report: () => {} });
    send({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    send({ method: 'notifications/initialized' });
  });
  afterEach(() => scratch.dispose());

  const clientInfo = { name: 'test', version: '0' };

  function send(message: object): void {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  function create(id: number): void {
    const args = { entities: [entity(`node ${id}`)] };
    send({ id, method: 'tools/call', params: { name: 'create_entities', arguments: args } });
  }

  async function stored(): Promise<number> {
    return (await new MemoryTools(scratch.store).readGraph()).entities.length;
  }

  test('finishes what it was sent although nobody reads its answers any more', async () => {
    for (let id = 1; id <= 20; id++) create(id);
    stdout.once('data', () => stdout.destroy(new Error('EPIPE')));
    await session;
    expect(await stored()).toBe(20);
  });

  test('ends although a client is listening for updates, and tells it', async () => {
    stdin.destroy();
    await session;
    stdin = new PassThrough();
    stdout = new PassThrough();
    session = serveStdio({ store: scratch.store, stdin, stdout });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { resourceSubscriptions: ['memory://knowledge-graph'] };
    send({ id: 1, method: 'subscriptions/listen', params: { _meta, notifications } });
    stdin.end();
    await session;
    const messages = String(stdout.read())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications } },
      { id: 1, result: {} },
    ]);
  });

  test('leaves no listeners behind', async () => {
    stdin.end();
    await session;
    expect(process.listenerCount('SIGTERM') + process.listenerCount('SIGINT')).toBe(listeners);
  });
});
