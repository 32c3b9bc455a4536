import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { type PeopleActor, PeopleServer } from './people-server.js';

describe.each(databaseKinds)('merged commits of a branch that others may not read, on $kind', (kind) => {
  let server: PeopleServer;
  let commits: string[] = [];

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    const edit = async (branch: string, ...operations: object[]) => {
      const message = branch === 'draft' ? 'HIDDEN message' : 'shown';
      const { commit } = await server.ok<{ commit: { commit_id: string } }>('POST', 'edit', {
        ...{ branch, message, operations },
      });
      return commit.commit_id;
    };
    const pay = (value: unknown) => ({ op: 'update_node', name: 'Ada', set: { props: { pay: value } } });
    await edit('main', { op: 'add_node', name: 'Ada', type: 'person', props: { pay: 1 } });
    await server.ok('POST', 'branches', { name: 'draft' });
    commits = [
      await edit('draft', pay('HIDDEN pay'), { op: 'add_node', name: 'HIDDEN node', type: 'plan' }),
      await edit('draft', pay(2), { op: 'delete_node', name: 'HIDDEN node' }),
    ];
    await server.ok('POST', 'branches/merge', { source: 'draft', message: 'shown' });
  });
  afterAll(() => server.close());

  const texts = async (actor: PeopleActor, path: string) =>
    JSON.stringify(await server.ok('GET', path, undefined, actor));
  const undo = (actor: PeopleActor, selection: object) =>
    server.ask(actor, 'POST', 'undo', { ...selection, dry_run: true });

  test.each(['commits', 'recent', 'nodes/Ada/history', 'nodes/Ada?blame=true', 'changes'])(
    'GET %s shows nothing that was written there',
    async (path) => {
      expect(await texts('boss', path)).toContain('shown');
      expect(await texts('reader', path)).not.toMatch(/HIDDEN|draft/);
    },
  );

  test.each(['commits', 'recent', 'nodes/Ada/history'])('GET %s lists them without it', async (path) => {
    expect(await texts('boss', path)).toContain('HIDDEN');
    for (const commit of commits) expect(await texts('reader', path)).toContain(commit);
  });

  test('they cannot be undone, since that shows what only the branch had', async () => {
    for (const commit of commits) {
      expect(await undo('boss', { commit_ids: [commit] })).toMatchObject({ status: 200 });
      expect(await undo('editor', { commit_ids: [commit] })).toMatchObject({
        ...{ status: 404, body: { error: { code: 'COMMIT_NOT_FOUND' } } },
      });
    }
    const { status, body } = await undo('editor', { actor: 'boss', since: '2020-01-01' });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('HIDDEN');
    expect(body['undone']).toHaveLength(2);
    expect((await undo('boss', { actor: 'boss', since: '2020-01-01' })).body['undone']).toHaveLength(4);
  });

  test('the merge itself can be undone', async () => {
    expect(await undo('editor', { last: true })).toMatchObject({
      ...{ status: 200, body: { undone: [{ changes: { nodes: [{ name: 'Ada' }] } }] } },
    });
  });
});
