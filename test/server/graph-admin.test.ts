import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { entity } from '../helpers/memory-tools.js';
import {
  databaseKinds,
  jsonl,
  type Scratch,
  type StoreKind,
  scratchStore,
  sqlite,
} from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

const policy = `
version: 1
rules:
  - { id: boss-runs-it, allow: { actors: { actor: boss }, actions: [read, change, graph_list, graph_admin] } }
  - { id: ann-reads, allow: { actors: { actor: ann }, actions: [read, change], graphs: [work] } }
  - { id: rob-has-a-corner, allow: { actors: { actor: rob }, actions: [graph_admin], graphs: [mine, yours] } }
`;

const tokenOf = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;

let folder: string;
let scratch: Scratch;
let server: HttpServer;

async function start(kind: StoreKind): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
  await writeFile(join(folder, 'policy.yaml'), policy);
  await writeFile(join(folder, 'closed.yaml'), 'version: 1\nrules: []\n');
  const tokens = Object.fromEntries(['boss', 'ann', 'rob', 'nobody'].map((id) => [id, tokenOf(id)]));
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
  scratch = await scratchStore(kind);
  const access = await openAccessControl(
    {
      tokens: { file: join(folder, 'tokens.json') },
      policy: {
        server: { file: join(folder, 'policy.yaml') },
        graphs: new Map([['closed', { file: join(folder, 'closed.yaml') }]]),
      },
    },
    { warn: () => {} },
  );
  server = await startHttpServer({ store: scratch.store, port: 0, access, root: 'server', report: () => {} });
}

afterEach(async () => {
  await server.close();
  await scratch.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function ask(actor: string, method: string, path: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...rpcHeaders, Authorization: `Bearer ${tokenOf(actor)}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const names = async () => (await scratch.store.graphs()).map(({ name }) => name).sort();

describe.each(databaseKinds)('graphs over plain HTTP on $kind', (kind) => {
  beforeEach(async () => {
    await start(kind);
    await scratch.store.createGraph('work');
  });

  test('are created, listed, renamed and deleted by those who may', async () => {
    expect(await ask('boss', 'POST', '/graphs', { name: 'a/b é' })).toMatchObject({
      status: 201,
      body: { name: 'a/b é', created_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect(await ask('boss', 'GET', '/graphs')).toMatchObject({
      status: 200,
      body: { graphs: [{ graph_id: 'a/b é' }, { graph_id: 'default' }, { graph_id: 'work' }] },
    });
    const path = `/graphs/${encodeURIComponent('a/b é')}`;
    expect(await ask('boss', 'PATCH', path, { name: 'c' })).toMatchObject({
      status: 200,
      body: { name: 'c' },
    });
    expect(await names()).toEqual(['c', 'default', 'work']);
    expect(await ask('boss', 'DELETE', '/graphs/c?confirm=c')).toEqual({
      status: 200,
      body: { name: 'c', deleted: true },
    });
    expect(await names()).toEqual(['default', 'work']);
  });

  test('a graph is deleted only if its name is repeated', async () => {
    for (const path of ['/graphs/work', '/graphs/work?confirm=default']) {
      expect(await ask('boss', 'DELETE', path)).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFIRMATION_NEEDED', hint: expect.stringContaining('?confirm=work') } },
      });
    }
    expect((await ask('boss', 'DELETE', '/graphs/work?confirm=')).status).toBe(400);
    expect(await names()).toContain('work');
  });

  test('a renamed graph keeps what it holds, and is gone under its old name, wherever it was open', async () => {
    const write = (graph: string, node: string) =>
      ask(
        'boss',
        'POST',
        `/graphs/${graph}/memory/mcp`,
        callBody('create_entities', { entities: [entity(node)] }),
      );
    await write('work', 'Ada');
    await ask('boss', 'PATCH', '/graphs/work', { name: 'office' });
    expect((await ask('boss', 'POST', '/graphs/work/memory/mcp', callBody('read_graph'))).status).toBe(404);
    await write('office', 'Bob');
    const read = await ask('boss', 'POST', '/graphs/office/memory/mcp', callBody('read_graph'));
    expect(JSON.stringify(read.body)).toMatch(/Ada.*Bob/);
  });

  test('a deleted graph that is made anew is empty', async () => {
    const at = '/graphs/work/memory/mcp';
    await ask('boss', 'POST', at, callBody('create_entities', { entities: [entity('Ada')] }));
    await ask('boss', 'DELETE', '/graphs/work?confirm=work');
    expect((await ask('boss', 'POST', at, callBody('read_graph'))).status).toBe(404);
    await ask('boss', 'POST', '/graphs', { name: 'work' });
    const read = await ask('boss', 'POST', at, callBody('read_graph'));
    expect(JSON.stringify(read.body)).not.toContain('Ada');
    await ask('boss', 'POST', at, callBody('create_entities', { entities: [entity('Eve')] }));
    expect(await scratch.store.commits({ graph: 'work' })).toMatchObject([{ actor: 'boss' }]);
  });

  test.each([
    ['a name that is taken', 'POST', '/graphs', { name: 'work' }, 409, 'GRAPH_EXISTS'],
    ['a new name that is taken', 'PATCH', '/graphs/work', { name: 'default' }, 409, 'GRAPH_EXISTS'],
    ['no name', 'POST', '/graphs', {}, 400, 'INVALID_ARGUMENT'],
    ['an empty name', 'POST', '/graphs', { name: '' }, 400, 'INVALID_ARGUMENT'],
    ['a name with NUL', 'POST', '/graphs', { name: 'a\0' }, 400, 'INVALID_ARGUMENT'],
    ['a name that no address can say', 'POST', '/graphs', { name: '..' }, 400, 'INVALID_ARGUMENT'],
    ['a name that a terminal obeys', 'POST', '/graphs', { name: '\u001b[2J' }, 400, 'INVALID_ARGUMENT'],
    ['a name that no header carries', 'POST', '/graphs', { name: 'a ' }, 400, 'INVALID_ARGUMENT'],
    ['half a character', 'POST', '/graphs', '{"name":"\\ud800"}', 400, 'INVALID_ARGUMENT'],
    ['a name that is too long', 'POST', '/graphs', { name: 'x'.repeat(5_000) }, 400, 'INVALID_ARGUMENT'],
    ['a name that is inherited', 'POST', '/graphs', '{"__proto__":{"name":"x"}}', 400, 'INVALID_ARGUMENT'],
    ['no JSON', 'POST', '/graphs', '{', 400, 'INVALID_ARGUMENT'],
    ['a graph that is not there', 'PATCH', '/graphs/none', { name: 'x' }, 404, 'GRAPH_NOT_FOUND'],
    ['deleting what is not there', 'DELETE', '/graphs/none?confirm=none', undefined, 404, 'GRAPH_NOT_FOUND'],
  ])('%s is refused', async (_, method, path, body, status, code) => {
    expect(await ask('boss', method, path, body)).toMatchObject({ status, body: { error: { code } } });
    expect(await names()).toEqual(['default', 'work']);
  });
});

describe('who may', () => {
  beforeEach(async () => {
    await start(sqlite);
    for (const name of ['work', 'mine']) await scratch.store.createGraph(name);
  });

  test('without graph_admin: 403 on a graph one can see, and elsewhere the 404 of one that is not there', async () => {
    const patch = { name: 'x' };
    expect(await ask('ann', 'PATCH', '/graphs/work', patch)).toMatchObject({ status: 403 });
    expect(await ask('ann', 'DELETE', '/graphs/work?confirm=work')).toMatchObject({ status: 403 });
    const hidden = await ask('ann', 'DELETE', '/graphs/mine?confirm=mine');
    const absent = await ask('ann', 'DELETE', '/graphs/none?confirm=none');
    expect(hidden.status).toBe(404);
    expect(JSON.stringify(hidden).replaceAll('mine', 'none')).toBe(JSON.stringify(absent));
  });

  test('trust 37: a graph that has a policy of its own is hidden from who may rename all others', async () => {
    await scratch.store.createGraph('closed');
    for (const [method, path, body] of [
      ['PATCH', '/graphs/NAME', { name: 'x' }],
      ['PATCH', '/graphs/NAME', { name: 'work' }],
      ['PATCH', '/graphs/NAME', { name: 'closed' }],
      ['DELETE', '/graphs/NAME?confirm=NAME', undefined],
      ['GET', '/graphs/NAME/snapshot?branch=draft', undefined],
      ['POST', '/graphs/NAME/memory/mcp?branch=draft', callBody('read_graph')],
    ] as const) {
      for (const actor of ['boss', 'ann', 'rob', 'nobody']) {
        const hidden = await ask(actor, method, path.replaceAll('NAME', 'closed'), body);
        const absent = await ask(actor, method, path.replaceAll('NAME', 'absent'), body);
        expect(hidden.status).toBe(404);
        expect(JSON.stringify(hidden).replaceAll('closed', 'absent')).toBe(JSON.stringify(absent));
      }
    }
  });

  test('whoever may not create learns nothing of what is there', async () => {
    for (const actor of ['ann', 'nobody']) {
      const taken = await ask(actor, 'POST', '/graphs', { name: 'mine' });
      expect(taken).toEqual(await ask(actor, 'POST', '/graphs', { name: 'free' }));
      expect(taken).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    }
    expect(await ask('ann', 'GET', '/graphs')).toMatchObject({ status: 403 });
  });

  test('a grant for some graphs is one for these names', async () => {
    expect(await ask('rob', 'POST', '/graphs', { name: 'other' })).toMatchObject({ status: 403 });
    expect(await ask('rob', 'PATCH', '/graphs/mine', { name: 'work' })).toMatchObject({ status: 403 });
    expect(await ask('rob', 'PATCH', '/graphs/mine', { name: 'yours' })).toMatchObject({ status: 200 });
    expect(await names()).toEqual(['default', 'work', 'yours']);
  });

  test('nothing goes without a token', async () => {
    for (const [method, path] of [
      ['GET', '/graphs'],
      ['POST', '/graphs'],
      ['DELETE', '/graphs/work?confirm=work'],
    ]) {
      expect((await fetch(server.url + path, { method: method ?? '' })).status).toBe(401);
    }
  });

  test('metrics name the graphs that one can see, and count the others together', async () => {
    const write = (graph: string, node: string) =>
      ask(
        'boss',
        'POST',
        `/graphs/${graph}/memory/mcp`,
        callBody('create_entities', { entities: [entity(node)] }),
      );
    await write('work', 'Ada');
    await write('mine', 'Bob');
    await write('mine', 'Eve');
    const commits = async (actor: string) =>
      String((await ask(actor, 'GET', '/metrics')).body)
        .split('\n')
        .filter((line) => line.startsWith('trellis_commits_total'));
    expect(await commits('boss')).toEqual([
      'trellis_commits_total{graph="work"} 1',
      'trellis_commits_total{graph="mine"} 2',
    ]);
    expect(await commits('ann')).toEqual([
      'trellis_commits_total{graph="work"} 1',
      'trellis_commits_total 2',
    ]);
    expect(await commits('nobody')).toEqual(['trellis_commits_total 3']);
    expect(String((await ask('nobody', 'GET', '/metrics')).body)).toMatch(
      /^# TYPE trellis_tool_calls_total/m,
    );
  });
});

test('a file of JSON lines has one graph, and says so', async () => {
  await start(jsonl);
  expect(await ask('boss', 'POST', '/graphs', { name: 'x' })).toMatchObject({
    status: 400,
    body: { error: { code: 'CAPABILITY_MISSING' } },
  });
});
