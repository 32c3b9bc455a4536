import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { Store } from '../../src/store/store-contract.js';
import { entity } from '../helpers/memory-tools.js';
import { databaseKinds, openWithGraph, type Scratch, scratchStore } from '../helpers/stores.js';
import { author } from '../store/conformance/context.js';
import { put } from '../store/conformance/graph-by-name.js';
import { GraphClient } from './graph-client.js';

interface Page {
  readonly entries: readonly {
    readonly cursor: string;
    readonly commit: { readonly commit_id: string; readonly branch: string; readonly tool: string };
    readonly changes?: { readonly nodes: readonly { readonly name: string; readonly change: string }[] };
    readonly too_large?: true;
    readonly collected?: true;
  }[];
  readonly cursor: string;
  readonly has_more: boolean;
}

describe.each(databaseKinds)('the change feed on $kind', (kind) => {
  let scratch: Scratch;
  let elsewhere: Store;
  let server: HttpServer;
  let name = '';
  let graphs = 0;
  let graph: GraphClient;

  beforeAll(async () => {
    scratch = await scratchStore(kind);
    elsewhere = await openWithGraph(scratch.path);
    server = await startHttpServer({ store: scratch.store, port: 0, report: () => {} });
  });
  afterAll(async () => {
    await server.close();
    await elsewhere.close();
    await scratch.dispose();
  });
  beforeEach(async () => {
    name = `g${++graphs}`;
    await scratch.store.createGraph(name);
    graph = new GraphClient(`${server.url}/graphs/${name}/mcp`);
  });

  const create = (node: string, branch = 'main') =>
    new GraphClient(`${server.url}/graphs/${name}/memory/mcp?branch=${branch}`).ok('create_entities', {
      entities: [entity(node, [], 'person')],
    });
  const read = async (args: object = {}, tool = 'commits_changes') =>
    (await graph.ok(tool, { ...args })) as unknown as Page;
  const namesIn = ({ entries }: Page) =>
    entries.map(({ changes }) => changes?.nodes.map((node) => node.name).join());
  const failure = async (args: object) => (await graph.error('commits_changes', { ...args })).join();

  test('has every commit once, oldest first, with the changes that commits_get shows', async () => {
    for (const node of ['Ada', 'Bob', 'Cy']) await create(node);
    const page = await read();
    expect(namesIn(page)).toEqual(['Ada', 'Bob', 'Cy']);
    expect(page.has_more).toBe(false);
    const [first] = page.entries;
    const { changes, ...commit } = await graph.ok('commits_get', { commit_id: first?.commit.commit_id });
    expect(first).toEqual({ cursor: expect.any(String), commit, changes, items: expect.any(Array) });
    expect(page.cursor).toBe(page.entries.at(-1)?.cursor);
  });

  test('goes on from any entry, in pages of any size', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `n${index}`);
    for (const node of names) await create(node);
    const { entries } = await read();
    await fc.assert(
      fc.asyncProperty(fc.nat(6), fc.integer({ min: 1, max: 9 }), async (from, limit) => {
        const seen: (string | undefined)[] = [];
        for (let since = entries[from]?.cursor; ; ) {
          const page = await read({ since, limit });
          seen.push(...namesIn(page));
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          since = page.cursor;
          if (!page.has_more) break;
          expect(page.entries).toHaveLength(limit);
        }
        expect(seen).toEqual(names.slice(from + 1));
      }),
      { numRuns: 8 },
    );
  });

  test('now means after the last commit, also in an empty graph', async () => {
    const empty = await read({ since: 'now' });
    expect(empty).toEqual({ entries: [], cursor: expect.any(String), has_more: false });
    await create('Ada');
    const now = await read({ since: 'now' });
    expect(now.entries).toEqual([]);
    await create('Bob');
    expect(namesIn(await read({ since: empty.cursor }))).toEqual(['Ada', 'Bob']);
    expect(namesIn(await read({ since: now.cursor }))).toEqual(['Bob']);
  });

  test('a branch goes on where its parent was; a merge is one entry with all it brought', async () => {
    await create('Ada');
    await graph.ok('branches_create', { name: 'draft' });
    await create('Main');
    await create('Bob', 'draft');
    await create('Cy', 'draft');
    expect(namesIn(await read({ branch: 'draft' }))).toEqual(['Ada', 'Bob', 'Cy']);
    await graph.ok('branches_merge', { source: 'draft' });
    const merged = await read();
    expect(namesIn(merged)).toEqual(['Ada', 'Main', 'Bob,Cy']);
    expect(merged.entries.map(({ commit }) => commit.branch)).toEqual(['main', 'main', 'main']);
  });

  test('a commit that is too large has its entry, with counts instead of changes', async () => {
    await create('Ada');
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`n${index}`, []]));
    await scratch.store.write({ graph: name }, author, (writer) => put(writer, { nodes: many }));
    await create('Bob');
    const { entries } = await read();
    expect(entries.map(({ too_large, changes }) => [too_large, changes === undefined])).toEqual([
      [undefined, false],
      [true, true],
      [undefined, false],
    ]);
    expect(entries[1]?.commit).toMatchObject({ counts: { nodes: { created: 10_001 } } });
  });

  test('long changes end a page early', async () => {
    const text = 'x'.repeat(900_000);
    for (const node of ['a', 'b', 'c'])
      await scratch.store.write({ graph: name }, author, (writer) =>
        put(writer, { nodes: { [node]: [text] } }),
      );
    const first = await read();
    expect([namesIn(first), first.has_more]).toEqual([['a', 'b'], true]);
    expect(namesIn(await read({ since: first.cursor }))).toEqual(['c']);
  });

  test('a collected commit says so', async () => {
    await create('Ada');
    await new GraphClient(`${server.url}/graphs/${name}/memory/mcp`).ok('delete_entities', {
      entityNames: ['Ada'],
    });
    await create('Bob');
    await scratch.store.collect(name, { before: Date.now() + 1_000 });
    const { entries } = await read();
    expect(entries[0]).toMatchObject({ collected: true, commit: { collected: true } });
    expect(entries[0]?.changes).toBeUndefined();
    expect(entries).toHaveLength(3);
  });

  test('cursors of another graph, another branch, a deleted branch and garbage are refused', async () => {
    await create('Ada');
    await graph.ok('branches_create', { name: 'draft' });
    const { cursor } = await read({ branch: 'draft' });
    expect(await failure({ since: cursor })).toContain('belongs to another branch');
    await graph.ok('branches_delete', { name: 'draft' });
    expect(await failure({ since: cursor, branch: 'draft' })).toContain('no branch');
    await graph.ok('branches_create', { name: 'draft' });
    expect(await failure({ since: cursor, branch: 'draft' })).toContain('a deleted one of the same name');
    const main = (await read()).cursor;
    await scratch.store.createGraph(`${name}-other`);
    const other = new GraphClient(`${server.url}/graphs/${name}-other/mcp`);
    expect((await other.error('commits_changes', { since: main })).join()).toContain('another graph');
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(3), async (garbage, nth) => {
        const since = [garbage, main.slice(0, -1), `${main}A`, main + garbage][nth];
        expect(await failure({ since })).toMatch(/cursor|since|Invalid/);
      }),
      { numRuns: 20 },
    );
  });

  test('a cursor behind a commit that is not there is refused', async () => {
    await create('Ada');
    const { cursor } = await read();
    const [list, id, branch, seq, tag] = Buffer.from(cursor, 'base64url').toString().split(' ');
    const forged = (...parts: unknown[]) => Buffer.from(parts.join(' ')).toString('base64url');
    expect(forged(list, id, branch, seq, tag)).toBe(cursor);
    for (const since of [
      forged(list, id, branch, Number(seq) + 5, tag),
      forged(list, id, branch, seq, 'ZZZZZZZZ'),
    ])
      expect(await failure({ since })).toContain('not there');
  });

  test('changes_poll answers at once what is there, and waits for what another process commits', async () => {
    await create('Ada');
    expect(namesIn(await read({ wait_seconds: 30 }, 'changes_poll'))).toEqual(['Ada']);
    const { cursor } = await read();
    const nothing = await read({ since: cursor, wait_seconds: 0 }, 'changes_poll');
    expect(nothing).toEqual({ entries: [], cursor, has_more: false });
    const waiting = read({ since: cursor, wait_seconds: 30 }, 'changes_poll');
    await elsewhere.write({ graph: name }, author, (writer) => put(writer, { nodes: { Bob: [] } }));
    expect(namesIn(await waiting)).toEqual(['Bob']);
  });

  test('the same over plain HTTP', async () => {
    for (const node of ['Ada', 'Bob']) await create(node);
    const ask = async (query: string) => {
      const response = await fetch(`${server.url}/graphs/${name}/changes${query}`);
      return { status: response.status, body: (await response.json()) as Page };
    };
    expect(await ask('')).toEqual({ status: 200, body: await read() });
    const first = await ask('?limit=1');
    expect(first.body).toEqual(await read({ limit: 1 }));
    expect(await ask(`?since=${first.body.cursor}&branch=main`)).toMatchObject({
      status: 200,
      body: { entries: [{ changes: { nodes: [{ name: 'Bob' }] } }] },
    });
    expect(await ask('?since=garbage')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ARGUMENT' } },
    });
    expect(await ask('?limit=1001')).toMatchObject({ status: 400 });
    expect(await ask('?branch=none')).toMatchObject({ status: 404 });
  });
});
