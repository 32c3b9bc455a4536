import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { memorySurface } from '../../src/surfaces/memory/memory-surface.js';
import { defineTool } from '../../src/surfaces/tool.js';
import { changes } from '../../src/surfaces/tool-annotations.js';
import { type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, hear, listenRequest, rpcHeaders } from './helpers.js';

let folder: string;
let scratch: Scratch;
let server: HttpServer;

const token = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;
const bearer = (actor: string) => ({ Authorization: `Bearer ${token(actor)}` });
const writeTokens = (tokens: object) =>
  writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });

beforeEach(async () => {
  folder = await scratchFolder();
  scratch = await scratchStore(sqlite);
  await writeTokens({ ann: token('ann'), bob: token('bob') });
  await writeFile(
    join(folder, 'policy.yaml'),
    'version: 1\nrules:\n' +
      '  - { id: all, allow: { actors: { actor: ann }, actions: [read, change, export] } }\n' +
      '  - { id: bob, allow: { actors: { actor: bob }, actions: [read, change, export] } }\n' +
      '  - { id: eve, allow: { actors: { actor: eve }, actions: [change] } }\n',
  );
  const files = {
    tokens: { file: join(folder, 'tokens.json') },
    policy: { server: { file: join(folder, 'policy.yaml') } },
  };
  const access = await openAccessControl(files, { warn: () => {} });
  const surface = { ...memorySurface, tools: [...memorySurface.tools, slow] };
  const root = { graph: 'default', surface };
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, access, root });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** A stream that stays open as long as it may. */
const streams = {
  'an SSE stream': (actor: string) =>
    fetch(`${server.url}/sse`, { headers: { ...bearer(actor), 'X-Memory-Workspace': 'default' } }),
  'a client that listens for changes': (actor: string) => listen(actor),
  'a stream of the change feed': (actor: string) =>
    fetch(`${server.url}/graphs/default/changes`, {
      headers: { ...bearer(actor), Accept: 'text/event-stream' },
    }),
};

function listen(actor: string, path = '/mcp', uri = 'memory://knowledge-graph'): Promise<Response> {
  return fetch(server.url + path, listenRequest([uri], bearer(actor)));
}

/** Takes its time, as a large write does. */
const slow = defineTool({
  name: 'slow',
  title: 'Slow',
  description: 'Answers after a while.',
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  annotations: changes,
  action: 'change',
  async run() {
    await delay(4_000);
    return { done: true };
  },
});

const soon = { timeout: 60_000, interval: 50 };

describe.each(Object.entries(streams))('%s', (_, open) => {
  test('ends when its token is revoked, and those of others do not', async () => {
    const [ann, bob] = [hear(await open('ann')), hear(await open('bob'))];
    await vi.waitFor(() => expect([ann.text, bob.text]).not.toContain(''), soon);
    await writeTokens({ bob: token('bob') });
    await vi.waitFor(() => expect(ann.ended).toBe(true), soon);
    expect(bob.ended).toBe(false);
    expect((await open('ann')).status).toBe(401);
  });

  test('ends when its token expires', async () => {
    await writeTokens({ ann: { hash: token('ann'), expires: new Date(Date.now() + 2_500).toISOString() } });
    await vi.waitFor(async () => expect((await open('bob')).status).toBe(401), soon);
    const ann = hear(await open('ann'));
    await vi.waitFor(() => expect(ann.ended).toBe(true), soon);
  });

  test('ends when its token makes another actor of its sender', async () => {
    const ann = hear(await open('ann'));
    await vi.waitFor(() => expect(ann.text).not.toBe(''), soon);
    await writeTokens({ ann: { hash: token('ann'), groups: ['readers'] } });
    await vi.waitFor(() => expect(ann.ended).toBe(true), soon);
  });
});

test('a stream takes no message with a token that has other rights, though the actor is the same', async () => {
  await writeTokens({ ann: [token('ann'), { hash: token('reader'), scopes: ['memory.read'] }] });
  await vi.waitFor(
    async () =>
      expect((await fetch(`${server.url}/metrics`, { headers: bearer('reader') })).status).toBe(200),
    soon,
  );
  const stream = hear(await streams['an SSE stream']('ann'));
  await vi.waitFor(() => expect(stream.text).toContain('data: '), soon);
  const path = /data: (.*)/.exec(stream.text)?.[1] ?? '';
  const send = async (actor: string) => {
    const headers = { ...rpcHeaders, ...bearer(actor), 'X-Memory-Workspace': 'default' };
    return (await fetch(server.url + path, { method: 'POST', headers, body: callBody('get_stats') })).status;
  };
  expect([await send('reader'), await send('ann')]).toEqual([404, 202]);
});

test('whoever can read no resource is not told of its changes', async () => {
  await writeTokens({ ann: token('ann'), eve: token('eve') });
  await vi.waitFor(
    async () => expect((await listen('eve', '/graphs/default/mcp', 'trellis://branches')).status).toBe(200),
    soon,
  );
  const eve = hear(await listen('eve', '/graphs/default/mcp', 'trellis://branches'));
  await vi.waitFor(() => expect(eve.ended).toBe(true), soon);
  expect(eve.text).toContain('subscriptions/acknowledged');
  expect(eve.text).not.toContain('trellis://branches');
  const ann = hear(await listen('ann', '/graphs/default/mcp', 'trellis://branches'));
  await vi.waitFor(() => expect(ann.text).toContain('trellis://branches'), soon);
  expect(ann.ended).toBe(false);
});

test('a call that has begun is answered, although its token ends meanwhile', async () => {
  const answer = fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...rpcHeaders, ...bearer('ann') },
    body: callBody('slow'),
  });
  const text = answer.then((response) => response.text());
  await writeTokens({ bob: token('bob') });
  const annAgain = () => fetch(`${server.url}/metrics`, { headers: bearer('ann') });
  await vi.waitFor(async () => expect((await annAgain()).status).toBe(401), soon);
  expect(await text).toContain('"done":true');
});
