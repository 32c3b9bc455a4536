import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/model/limits.js';
import { databaseKinds } from '../helpers/stores.js';
import { put } from '../store/conformance/graph-by-name.js';
import { PeopleServer } from './people-server.js';

interface Undone {
  readonly dry_run: boolean;
  readonly commit_id: string | null;
  readonly undone: readonly { readonly commit_id: string; readonly left: readonly unknown[] }[];
}

interface Bounded {
  readonly undone: readonly {
    readonly changes: { readonly nodes: readonly unknown[] };
    readonly more: number;
  }[];
}

describe.each(databaseKinds)('diff and undo on $kind', (kind) => {
  let server: PeopleServer;

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.freshGraph();
    await edit({ op: 'add_node', name: 'Ada', type: 'person', observations: ['one'] });
  });

  const commitOf = async (branch: string, ...operations: object[]) => {
    const { commit } = await server.ok<{ commit: { commit_id: string } }>('POST', 'edit', {
      ...{ branch, operations },
    });
    return commit.commit_id;
  };
  const edit = (...operations: object[]) => commitOf('main', ...operations);
  const summary = (text: string) => ({ op: 'update_node', name: 'Ada', set: { summary: text } });
  const shown = async (branch = 'main') => {
    const { store } = server.scratch;
    return store.read({ graph: server.graph, branch }, async (reader) =>
      (await reader.nodes()).map((node) => `${node.name}: ${node.summary}`),
    );
  };

  describe('diff', () => {
    test('of two branches, of two commits, and the same as a tool', async () => {
      await server.mcp('').ok('branches_create', { name: 'a/b' });
      const commit = await commitOf('a/b', summary('new'));
      const changes = {
        ...{ edges: [] },
        nodes: [
          { change: 'changed', type: 'person', name: 'Ada', properties: { summary: { after: 'new' } } },
        ],
      };
      const expected = { from: 'main', to: 'a/b', changes };
      expect(await server.ok('GET', 'diff?from=main&to=a%2Fb')).toEqual(expected);
      expect(await server.mcp('').ok('diff', { from: 'main', to: 'a/b' })).toEqual(expected);
      expect(await server.ok('GET', `diff?from=main&to=${commit}`)).toMatchObject({ changes });
      expect(await server.ok('GET', 'diff?from=main&to=main')).toMatchObject({
        changes: { nodes: [], edges: [] },
      });
    });

    test('needs both, and both readable: hidden ones do not exist', async () => {
      await server.mcp('').ok('branches_create', { name: 'draft' });
      const commit = await commitOf('draft', summary('secret'));
      for (const [hidden, absent] of [
        ['draft', 'daft'],
        [commit, '01KBQ5V1Q3Y2D9A0ZB9N4R7C8E'],
      ] as const) {
        for (const order of [
          (ref: string) => `diff?from=main&to=${ref}`,
          (ref: string) => `diff?from=${ref}&to=main`,
        ]) {
          const one = await server.ask('reader', 'GET', order(hidden));
          const other = await server.ask('reader', 'GET', order(absent));
          expect(one.status).toBe(404);
          expect(JSON.stringify(one).replaceAll(hidden, absent)).toBe(JSON.stringify(other));
        }
      }
      expect((await server.ask('boss', 'GET', 'diff?from=main')).status).toBe(400);
      expect((await server.ask('writer', 'GET', 'diff?from=main&to=main')).status).toBe(403);
    });
  });

  describe('undo', () => {
    test('of a commit, with a preview that changes nothing', async () => {
      const commit = await edit(summary('wrong'));
      const preview = await server.ok<Undone>('POST', 'undo', { commit_ids: [commit], dry_run: true });
      expect(preview).toMatchObject({
        ...{ dry_run: true, commit_id: null },
        undone: [
          {
            commit_id: commit,
            left: [],
            changes: { nodes: [{ properties: { summary: { before: 'wrong' } } }] },
          },
        ],
      });
      expect(await shown()).toEqual(['Ada: wrong']);
      const done = await server.ok<Undone>('POST', 'undo', { commit_ids: [commit], message: 'was wrong' });
      expect(done.undone).toEqual(preview.undone);
      expect(await shown()).toEqual(['Ada: null']);
      expect(await server.ok('GET', 'commits?limit=1')).toMatchObject({
        commits: [{ commit_id: done.commit_id, tool: 'undo', actor_id: 'boss', message: 'was wrong' }],
      });
      await server.mcp('').ok('undo', { last: true });
      expect(await shown()).toEqual(['Ada: wrong']);
    });

    test('lists as much as fits into one result, and counts the rest', async () => {
      const names = Array.from({ length: 9_000 }, (_, index) => `node ${index}`);
      const nodes = Object.fromEntries(names.map((name) => [name, ['x'.repeat(400)]]));
      await server.scratch.store.write(
        { graph: server.graph },
        { actor: 'boss', tool: 'test' },
        async (writer) => put(writer, { nodes }),
      );
      const reply = await server.ok<Bounded>('POST', 'undo', { last: true });
      const [{ changes, more } = { changes: { nodes: [] }, more: 0 }] = reply.undone;
      expect(more).toBeGreaterThan(0);
      expect(changes.nodes.length + more).toBe(names.length);
      expect(JSON.stringify(reply).length).toBeLessThan(limits.answerLength);
      expect(await shown()).toEqual(['Ada: null']);
      expect(await server.mcp('').ok('undo', { last: true })).toMatchObject({
        undone: [{ more: expect.any(Number) }],
      });
    });

    test('leaves what somebody changed since, and says so', async () => {
      const commit = await edit(summary('first'));
      await edit(summary('second'));
      const { undone, commit_id } = await server.ok<Undone>('POST', 'undo', { commit_ids: [commit] });
      expect(undone[0]?.left).toMatchObject([{ property: 'summary', ours: 'second', base: 'first' }]);
      expect(commit_id).toBeNull();
      expect(await shown()).toEqual(['Ada: second']);
    });

    test('of what an actor did since a time', async () => {
      const operations = [{ op: 'add_node', name: 'Noise', type: 'junk' }];
      await server.ask('writer', 'POST', 'edit', { operations });
      await edit(summary('good'));
      const none = { actor: 'writer', since: '2100-01-01T00:00:00Z' };
      expect(await server.ok('POST', 'undo', none)).toMatchObject({ undone: [], commit_id: null });
      await server.ok('POST', 'undo', { actor: 'writer', since: '2000-01-01T00:00:00Z' });
      expect(await shown()).toEqual(['Ada: good']);
    });

    test('a commit of another branch is refused, and a hidden one does not exist', async () => {
      await server.mcp('').ok('branches_create', { name: 'draft' });
      const commit = await commitOf('draft', summary('secret'));
      expect(await server.ask('boss', 'POST', 'undo', { commit_ids: [commit] })).toMatchObject({
        ...{
          status: 400,
          body: { error: { code: 'INVALID_ARGUMENT', hint: expect.stringContaining('draft') } },
        },
      });
      const hidden = await server.ask('editor', 'POST', 'undo', { commit_ids: [commit] });
      const absent = '01KBQ5V1Q3Y2D9A0ZB9N4R7C8E';
      const missing = await server.ask('editor', 'POST', 'undo', { commit_ids: [absent] });
      expect(hidden.status).toBe(404);
      expect(JSON.stringify(hidden).replaceAll(commit, absent)).toBe(JSON.stringify(missing));
    });

    test('of a schema needs schema_apply', async () => {
      await edit({ op: 'delete_node', name: 'Ada' });
      const schema = 'node Person { name: String @key }';
      const { commit_id } = await server.mcp('').ok('schema_apply', { schema });
      const undo = { commit_ids: [commit_id] };
      expect(await server.ask('editor', 'POST', 'undo', undo)).toMatchObject({ status: 403 });
      expect(await server.ask('editor', 'POST', 'undo', { ...undo, dry_run: true })).toMatchObject({
        status: 403,
      });
      expect(await server.ask('boss', 'POST', 'undo', undo)).toMatchObject({ status: 200 });
    });

    test('needs change and read', async () => {
      const commit = await edit(summary('x'));
      for (const actor of ['reader', 'writer', 'gatekeeper'] as const)
        expect((await server.ask(actor, 'POST', 'undo', { commit_ids: [commit] })).status).toBe(403);
      expect(await server.mcp('', 'editor').names()).toContain('undo');
      expect(await server.mcp('', 'writer').names()).not.toContain('undo');
      expect(await server.mcp('', 'reader').names()).toContain('diff');
      expect(await shown()).toEqual(['Ada: x']);
    });

    test.each([
      {},
      { last: false },
      { actor: 'boss' },
      { since: '2026-01-01T00:00:00Z' },
      { last: true, commit_ids: ['x'] },
      { last: true, actor: 'boss', since: '2026-01-01T00:00:00Z' },
      { actor: 'boss', since: 'last week' },
      { commit_ids: 'x' },
      { commit_ids: ['\0'] },
    ])('is refused unless it is clear what to undo: %j', async (body) => {
      expect(await server.ask('boss', 'POST', 'undo', body)).toMatchObject({
        ...{ status: 400, body: { error: { code: 'INVALID_ARGUMENT' } } },
      });
    });
  });
});
