import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, hear, listenRequest, rpcHeaders, withSseClient } from './helpers.js';

const token = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;
const bearer = (actor: string) => ({ Authorization: `Bearer ${token(actor)}` });
const soon = { timeout: 60_000, interval: 50 };

/** One reads every branch, dan all but `main`, and wim writes and reads nothing. */
const policy = (reader: string) => `version: 1
protected_branches: [main]
rules:
  - { id: reader, allow: { actors: { actor: ${reader} }, actions: [read, change] } }
  - { id: dan, allow: { actors: { actor: dan }, actions: [read], branch_scope: unprotected } }
  - { id: wim, allow: { actors: { actor: wim }, actions: [change] } }
  - { id: max, allow: { actors: { actor: max }, actions: [read, branch_create, branch_delete, schema_apply] } }
`;

let folder: string;
let scratch: Scratch;
let server: HttpServer;

const writePolicy = (reader: string) => writeFile(join(folder, 'policy.yaml'), policy(reader));

/** Makes somebody else the reader, and waits until it is so. */
async function setReader(actor: string): Promise<void> {
  await writePolicy(actor);
  const snapshot = () => fetch(`${server.url}/graphs/default/snapshot`, { headers: bearer(actor) });
  await vi.waitFor(async () => expect((await snapshot()).status).toBe(200), soon);
}

beforeEach(async () => {
  folder = await scratchFolder();
  scratch = await scratchStore(sqlite);
  await writePolicy('ann');
  const tokens = Object.fromEntries(
    ['ann', 'bob', 'dan', 'wim', 'max'].map((actor) => [actor, token(actor)]),
  );
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
  const access = await openAccessControl(
    {
      tokens: { file: join(folder, 'tokens.json') },
      policy: { server: { file: join(folder, 'policy.yaml') } },
    },
    { warn: () => {} },
  );
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, access });
  await scratch.store.createBranch('default', 'draft');
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** What an actor hears who listens for changes of resources on `main`, by the protocol of 2026. */
async function listen(actor: string, uris: readonly string[], surface = '') {
  const heard = hear(
    await fetch(`${server.url}/graphs/default${surface}/mcp`, listenRequest(uris, bearer(actor))),
  );
  await vi.waitFor(() => expect(heard.text).toContain('subscriptions/acknowledged'), soon);
  return heard;
}

/** Writes as the actor who only writes. */
async function write(name: string): Promise<void> {
  const answer = await fetch(`${server.url}/graphs/default/memory/mcp`, {
    method: 'POST',
    headers: { ...rpcHeaders, ...bearer('wim') },
    body: callBody('create_entities', { entities: [{ name, entityType: 'Person', observations: [] }] }),
  });
  expect(await answer.text()).toContain(name);
}

const both = ['trellis://schema', 'trellis://branches'];

/** Makes a branch, which changes the list of them. */
let made = 0;
async function makeBranch(): Promise<void> {
  made += 1;
  const answer = await fetch(`${server.url}/graphs/default/branches`, {
    method: 'POST',
    headers: { ...rpcHeaders, ...bearer('max') },
    body: JSON.stringify({ name: `branch-${made}` }),
  });
  expect(answer.status).toBe(200);
}

/** Gives the graph a schema with one more type. */
let types = 'node Person { name: String @key }\n';
async function applySchema(): Promise<void> {
  made += 1;
  types += `node Type${made} { name: String @key }\n`;
  const answer = await fetch(`${server.url}/graphs/default/schema/apply`, {
    method: 'POST',
    headers: { ...rpcHeaders, ...bearer('max') },
    body: JSON.stringify({ schema: types }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
}

const updates = (heard: { readonly text: string }) =>
  [...heard.text.matchAll(/resources\/updated.*?"uri":"([^"]+)"/g)].map(([, uri]) => uri);

test('whoever may read some resources of a surface hears of these, and of the others as little as of those that are not there', async () => {
  const ann = await listen('ann', both);
  const dan = await listen('dan', [...both, 'trellis://nothing']);
  expect(ann.text).toContain('trellis://schema');
  expect(dan.text).toContain('trellis://branches');
  expect(dan.text).not.toMatch(/schema|nothing/);
  await applySchema();
  await makeBranch();
  await vi.waitFor(() => expect(updates(ann)).toEqual(both), soon);
  await vi.waitFor(() => expect(updates(dan)).toEqual(['trellis://branches']), soon);
  expect(dan.text).not.toContain('trellis://schema');
});

test('trust 13: a resource is told of when it changes, and not when something else does', async () => {
  await setReader('ann');
  const ann = await listen('ann', both);
  const memory = await listen('ann', ['memory://knowledge-graph'], '/memory');
  await write('Ada');
  await write('Bob');
  await vi.waitFor(() => expect(updates(memory)).toHaveLength(2), soon);
  expect(updates(ann)).toEqual([]);
  await makeBranch();
  await write('Eve');
  await applySchema();
  await write('Joe');
  await applySchema();
  const remove = { method: 'DELETE', headers: bearer('max') };
  const missing = await fetch(`${server.url}/graphs/default/branches/branch-${made}`, remove);
  expect(await missing.json()).toMatchObject({ deleted: false });
  expect((await fetch(`${server.url}/graphs/default/branches/draft`, remove)).status).toBe(200);
  const told = ['trellis://branches', 'trellis://schema', 'trellis://schema', 'trellis://branches'];
  await vi.waitFor(() => expect(updates(ann)).toEqual(told), soon);
});

test('whoever may read none hears of none', async () => {
  const wim = await listen('wim', both);
  await vi.waitFor(() => expect(wim.ended).toBe(true), soon);
  expect(wim.text).not.toContain('trellis://');
});

test('whoever may no longer read a resource is not told when it changes: the stream ends, others go on', async () => {
  await setReader('bob');
  const [bob, dan] = [await listen('bob', both), await listen('dan', both)];
  await setReader('ann');
  await makeBranch();
  await vi.waitFor(
    () => expect([dan.text.includes('resources/updated'), bob.ended]).toEqual([true, true]),
    soon,
  );
  expect(bob.text).not.toContain('resources/updated');
  expect(dan.ended).toBe(false);
});

test('over the older transport, too: at subscribing, and at telling', async () => {
  const sse = (actor: string) => ({ ...bearer(actor), 'X-Memory-Workspace': 'default' });
  await setReader('bob');
  await withSseClient(
    `${server.url}/sse`,
    async (client) => {
      const heard: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        heard.push(params.uri);
      });
      await client.subscribeResource({ uri: 'memory://recent-changes' });
      await write('Ada');
      await vi.waitFor(() => expect(heard).toHaveLength(1), soon);
      await setReader('ann');
      const ann = await listen('ann', ['memory://knowledge-graph'], '/memory');
      await write('Bob');
      await vi.waitFor(() => expect(ann.text).toContain('resources/updated'), soon);
      await expect(client.subscribeResource({ uri: 'memory://recent-changes' })).rejects.toThrow(
        'unknown resource',
      );
      expect(heard).toHaveLength(1);
    },
    sse('bob'),
  );
});
