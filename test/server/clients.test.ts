import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultGraph } from '../../src/model/graph-record.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { serveStdio } from '../../src/server/stdio/serve-stdio.js';
import { eras } from '../helpers/eras.js';
import { entity } from '../helpers/memory-tools.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { callBody, rpcHeaders, withClient, withSseClient } from './helpers.js';

/** Commits name the program that called. */
describe.each(databaseKinds)('the client of a commit on $kind', (kind) => {
  let scratch: Scratch;
  let server: HttpServer;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    server = await startHttpServer({ store: scratch.store, port: 0 });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
  });

  const create = { name: 'create_entities', arguments: { entities: [entity('Ada')] } };
  const newest = async () => (await scratch.store.commits({ graph: defaultGraph }, { limit: 1 }))[0];

  test.each(eras)('comes from the handshake over HTTP in the protocol of $era', async (era) => {
    await withClient(`${server.url}/mcp`, (client) => client.callTool(create), { era });
    expect(await newest()).toMatchObject({ tool: 'create_entities', client: 'test/0' });
  });

  test('comes from the handshake over SSE', async () => {
    const headers = { 'X-Memory-Workspace': defaultGraph };
    const entities = [{ name: 'Ada', entity_type: 'person' }];
    await withSseClient(
      `${server.url}/sse`,
      (client) => client.callTool({ name: 'create_entities', arguments: { entities } }),
      headers,
    );
    expect(await newest()).toMatchObject({ client: 'test/0' });
  });

  test('comes from the handshake over stdio, however hostile', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const session = serveStdio({ store: scratch.store, stdin, stdout, report: () => {} });
    const clientInfo = { name: `\u001b[2J${'n'.repeat(10_000)}`, version: '1\u0000\n\u202e2' };
    const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: create });
    stdin.end();
    await session;
    expect(await newest()).toMatchObject({ client: `[2J${'n'.repeat(97)}/12` });
  });

  test('is missing if the caller does not say', async () => {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...rpcHeaders, 'User-Agent': 'curl/8', 'Mcp-Session-Id': 'made-up' },
      body: callBody(create.name, create.arguments),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await newest()).not.toHaveProperty('client');
  });
});
