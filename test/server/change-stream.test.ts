import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { Store } from '../../src/store/store-contract.js';
import {
  databaseKinds,
  openWithGraph,
  type Scratch,
  scratchFolder,
  scratchStore,
} from '../helpers/stores.js';
import { author } from '../store/conformance/context.js';
import { put } from '../store/conformance/graph-by-name.js';
import { hear } from './helpers.js';

const soon = { timeout: 60_000, interval: 20 };
const token = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;
const policy = (reader: string) => `version: 1
rules:
  - { id: reader, allow: { actors: { actor: ${reader} }, actions: [read] } }
  - { id: bob, allow: { actors: { actor: bob }, actions: [read] } }
`;

describe.each(databaseKinds)('following the change feed on $kind', (kind) => {
  let folder: string;
  let scratch: Scratch;
  let elsewhere: Store;
  let server: HttpServer;

  beforeEach(async () => {
    folder = await scratchFolder();
    scratch = await scratchStore(kind);
    elsewhere = await openWithGraph(scratch.path);
    await scratch.store.createGraph('g');
    await writeFile(join(folder, 'policy.yaml'), policy('ann'));
    const tokens = JSON.stringify({ ann: token('ann'), bob: token('bob') });
    await writeFile(join(folder, 'tokens.json'), tokens, { mode: 0o600 });
    const access = await openAccessControl(
      {
        tokens: { file: join(folder, 'tokens.json') },
        policy: { server: { file: join(folder, 'policy.yaml') } },
      },
      { warn: () => {} },
    );
    server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, access });
  });
  afterEach(async () => {
    await server.close();
    await elsewhere.close();
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const write = (name: string, store = elsewhere, branch = 'main') =>
    store.write({ graph: 'g', branch }, author, (writer) => put(writer, { nodes: { [name]: [] } }));
  const open = (query = '', headers: Record<string, string> = {}, actor = 'ann') =>
    fetch(`${server.url}/graphs/g/changes${query}`, {
      headers: { Authorization: `Bearer ${token(actor)}`, Accept: 'text/event-stream', ...headers },
    });
  const namesIn = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/^event: commit\ndata: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data).changes.nodes[0].name as string,
    );
  const lastId = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '';

  test('sends what there is, then what this and other processes commit', async () => {
    await write('a');
    const response = await open();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const heard = hear(response);
    await vi.waitFor(() => expect(namesIn(heard)).toEqual(['a']), soon);
    await write('b');
    await vi.waitFor(() => expect(namesIn(heard)).toEqual(['a', 'b']), soon);
    await write('c', scratch.store);
    await vi.waitFor(() => expect(namesIn(heard)).toEqual(['a', 'b', 'c']), soon);
  });

  test('goes on after the last event, whatever since says', async () => {
    for (const name of ['a', 'b', 'c']) await write(name);
    const all = hear(await open('?limit=1'));
    await vi.waitFor(() => expect(namesIn(all)).toEqual(['a', 'b', 'c']), soon);
    const ids = [...all.text.matchAll(/^id: (\S+)\nevent/gm)].map(([, id = '']) => id);
    const rest = hear(await open('?since=now', { 'Last-Event-ID': ids[0] ?? '' }));
    await vi.waitFor(() => expect(namesIn(rest)).toEqual(['b', 'c']), soon);
  });

  test('whoever follows from now on has a cursor before anything happens', async () => {
    await write('a');
    const heard = hear(await open('?since=now'));
    await vi.waitFor(() => expect(lastId(heard)).not.toBe(''), soon);
    await write('b');
    await vi.waitFor(() => expect(namesIn(heard)).toEqual(['b']), soon);
    const first = /^id: (\S+)$/m.exec(heard.text)?.[1] ?? '';
    const again = hear(await open('?since=now', { 'Last-Event-ID': first }));
    await vi.waitFor(() => expect(namesIn(again)).toEqual(['b']), soon);
  });

  test('says again and again that it is still there, without an event', async () => {
    await server.close();
    server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, heartbeatMs: 1 });
    await write('a');
    const heard = hear(await open());
    await vi.waitFor(() => expect(heard.text.match(/^: still here$/gm)?.length).toBeGreaterThan(2), soon);
    expect(namesIn(heard)).toEqual(['a']);
  });

  test('what is wrong with a request is said before the stream begins', async () => {
    expect((await open('?since=garbage')).status).toBe(400);
    expect((await open('', { 'Last-Event-ID': 'garbage' })).status).toBe(400);
    expect((await open('?branch=none')).status).toBe(404);
    expect((await open('', { Authorization: 'Bearer nobody' })).status).toBe(401);
    const page = await open('', { Accept: 'application/json, text/event-stream' });
    expect(page.headers.get('content-type')).toContain('application/json');
  });

  test.each([
    ['its branch', () => elsewhere.deleteBranch('g', 'draft')],
    ['its graph', () => elsewhere.deleteGraph('g')],
  ])('ends when another process deletes %s', async (_, remove) => {
    await elsewhere.createBranch('g', 'draft');
    const heard = hear(await open('?branch=draft'));
    await vi.waitFor(() => expect(lastId(heard)).not.toBe(''), soon);
    await remove();
    await vi.waitFor(() => expect(heard.ended).toBe(true), soon);
  });

  test('whoever may no longer read the branch gets no further event, others do', async () => {
    const [ann, bob] = [hear(await open()), hear(await open('', {}, 'bob'))];
    await write('a');
    await vi.waitFor(() => expect([namesIn(ann), namesIn(bob)]).toEqual([['a'], ['a']]), soon);
    await writeFile(join(folder, 'policy.yaml'), policy('cy'));
    await vi.waitFor(async () => expect((await open()).status).toBe(404), soon);
    await write('secret');
    await vi.waitFor(() => expect(namesIn(bob)).toEqual(['a', 'secret']), soon);
    await vi.waitFor(() => expect(ann.ended).toBe(true), soon);
    expect(ann.text).not.toContain('secret');
  });

  test('a server that shuts down ends its streams and its waiting calls', async () => {
    const heard = hear(await open());
    await vi.waitFor(() => expect(lastId(heard)).not.toBe(''), soon);
    await server.close();
    await vi.waitFor(() => expect(heard.ended).toBe(true), soon);
  });
});
