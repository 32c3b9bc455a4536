import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

let scratch: Scratch;
let server: HttpServer;
let reported: unknown[];

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
  reported = [];
  server = await startHttpServer({
    store: scratch.store,
    port: 0,
    report: (error) => reported.push(error),
  });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
});

const routes = ['ingest', 'mutate', 'mcp', 'memory/mcp'] as const;
const insert = 'query add($name: String) { insert Note { name: $name } }';

/** What writes a note through a route. */
function writing(route: (typeof routes)[number], name: string): string {
  switch (route) {
    case 'ingest':
      return `{"type":"Note","data":{"name":"${name}"}}\n`;
    case 'mutate':
      return JSON.stringify({ source: insert, params: { name } });
    case 'mcp':
      return callBody('mutate', { source: insert, params: { name } });
    case 'memory/mcp':
      return callBody('create_entities', { entities: [{ name, entityType: 'Note', observations: [] }] });
  }
}

const headersOf = (route: string): Record<string, string> => (route.endsWith('mcp') ? rpcHeaders : {});

function post(route: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/graphs/default/${route}`, {
    method: 'POST',
    headers: { ...headersOf(route), ...headers },
    body: new Uint8Array(body),
  });
}

const everything = async () => (await fetch(`${server.url}/graphs/default/export`)).text();

describe.each(routes)('a body sent to %s', (route) => {
  test('that is no UTF-8 is refused, since what is guessed of it would be stored', async () => {
    const answer = await post(route, Buffer.from(writing(route, 'café'), 'latin1'));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('not valid UTF-8');
    expect(await everything()).toBe('');
  });

  test('may begin with a mark of its byte order', async () => {
    const answer = await post(route, Buffer.from(`\ufeff${writing(route, 'café')}`));
    expect(answer.status, await answer.text()).toBe(200);
    expect(await everything()).toContain('café');
  });

  test('that is compressed is refused, and the way out told', async () => {
    const packed = gzipSync(writing(route, 'Ada'));
    const answer = await post(route, packed, { 'Content-Encoding': 'gzip' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('without Content-Encoding');
    expect(await everything()).toBe('');
  });

  describe.each([
    { how: 'whose sender hangs up', head: 'Content-Length: 100000', end: '' },
    { how: 'that says it is longer than it is', head: 'Content-Length: 100000', end: 'half' },
    { how: 'whose last chunk is missing', head: 'Transfer-Encoding: chunked', end: 'half' },
    { how: 'that goes on with what is no chunk', head: 'Transfer-Encoding: chunked', end: 'zz\r\n' },
  ])('$how', ({ head, end }) => {
    test.each([0, 50])('does nothing, and is no defect (after %i ms)', async (wait) => {
      const { port } = new URL(server.url);
      const body = writing(route, 'Cut');
      const chunk = head.startsWith('Transfer')
        ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
        : body;
      const fields = Object.entries(headersOf(route)).map(([name, value]) => `${name}: ${value}\r\n`);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', async () => {
          socket.write(
            `POST /graphs/default/${route} HTTP/1.1\r\nHost: localhost\r\n${fields.join('')}${head}\r\n\r\n${chunk}`,
          );
          if (wait > 0) await delay(wait);
          if (end === '') socket.destroySoon();
          else if (end === 'half') socket.end();
          else socket.write(end);
        });
        socket.on('error', () => {}).resume();
        socket.once('close', () => resolve());
      });
      const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
      await expect.poll(metrics).toContain('trellis_calls_in_flight 0');
      // Whatever is counted of it, it is not that it was done.
      expect(await metrics()).not.toContain('outcome="ok"');
      expect(await everything()).toBe('');
      expect(reported).toEqual([]);
    });
  });
});
