import { beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import type { GraphClient } from './graph-client.js';
import { serveGraphs } from './graph-server.js';

const schema = `
node Counter { name: String @key  value: I32 }
edge Beside: Counter -> Counter { note: String? }
`;

interface Receipt {
  readonly commit_id: string;
  readonly parent_commit_id: string | null;
}

describe.each(databaseKinds)('writes that name the commit they were prepared on, on $kind', (kind) => {
  const served = serveGraphs(kind);
  let graph: GraphClient;
  let head = '';

  beforeEach(async () => {
    graph = served.tools;
    await graph.ok('schema_apply', { schema });
    head = idOf(
      await graph.ok('ingest', {
        ndjson: ['a', 'b'].map((name) => JSON.stringify(counter(name, 0))).join('\n'),
      }),
    );
  });

  const counter = (name: string, value: number) => ({ type: 'Counter', data: { name, value } });
  const idOf = (answer: Record<string, unknown>) => String(answer['commit_id']);
  const set = (name: string, value: number) => ({
    source:
      'query set($name: String, $value: I32) { update Counter set { value: $value } where name = $name }',
    params: { name, value },
  });
  const headNow = async () => idOf(await graph.ok('snapshot'));
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${served.at}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('the answer has the commit as a receipt: id, parent, time and counts', async () => {
    const answer = await graph.ok('mutate', { ...set('a', 1), if_commit: head });
    expect(answer['commit']).toEqual({
      commit_id: answer['commit_id'],
      graph_commit_id: answer['commit_id'],
      parent_commit_id: head,
      created_at: expect.stringMatching(/Z$/),
      counts: {
        nodes: { created: 0, updated: 1, deleted: 0 },
        observations: { created: 0, updated: 0, deleted: 0 },
        edges: { created: 0, updated: 0, deleted: 0 },
      },
    });
    expect(answer['graph_commit_id']).toBe(answer['commit_id']);
    const unchanged = await graph.ok('mutate', set('a', 1));
    expect(unchanged).toMatchObject({ commit_id: null, commit: null });
  });

  test('a moved head refuses the write, and names the head and what it touches that was changed', async () => {
    const now = idOf(await graph.ok('mutate', set('a', 1)));
    const [text = '', data = ''] = await graph.error('mutate', { ...set('a', 2), if_commit: head });
    expect(text).toContain(`is at ${now}`);
    expect(text).toContain('Changed since, of what this write touches: Counter "a".');
    expect(JSON.parse(data)).toEqual({
      ...{ expected: head, head: now, changed: [{ kind: 'node', type: 'Counter', name: 'a' }] },
    });
    const [other = ''] = await graph.error('mutate', { ...set('b', 2), if_commit: head });
    expect(other).toContain('Nothing that this write touches was changed since.');
    expect(await headNow()).toBe(now);
    await graph.ok('mutate', { ...set('a', 2), if_commit: now });
  });

  test('edges and removed nodes count as touched', async () => {
    const beside = { edge: 'Beside', from: 'a', to: 'b', data: {} };
    const line = (data: object) => ({ ndjson: JSON.stringify({ ...beside, data }) });
    await graph.ok('ingest', line({ note: 'x' }));
    const [, data = ''] = await graph.error('ingest', { ...line({ note: 'y' }), if_commit: head });
    expect(JSON.parse(data)).toMatchObject({
      changed: [{ kind: 'edge', type: 'Beside', from: 'a', to: 'b' }],
    });
    const before = await headNow();
    await graph.ok('mutate', { source: 'query q() { delete Counter where name = "b" }' });
    const [, gone = ''] = await graph.error('ingest', {
      ...{ ndjson: JSON.stringify(counter('b', 5)), if_commit: before },
    });
    expect(JSON.parse(gone)).toMatchObject({ changed: [{ kind: 'node', type: 'Counter', name: 'b' }] });
  });

  test('a write that can no longer be done is refused for the moved head all the same', async () => {
    const now = idOf(await graph.ok('mutate', { source: 'query q() { delete Counter where name = "b" }' }));
    const ndjson = JSON.stringify({ edge: 'Beside', from: 'a', to: 'b', data: {} });
    const [text = '', data = ''] = await graph.error('ingest', { ndjson, if_commit: head });
    expect(text).toContain(`is at ${now}, by `);
    expect(JSON.parse(data)).toEqual({ expected: head, head: now });
  });

  test('a commit that the branch never had refuses the write', async () => {
    await graph.ok('branches_create', { name: 'side' });
    const elsewhere = idOf(await graph.ok('mutate', { ...set('a', 7), branch: 'side' }));
    for (const if_commit of [elsewhere, 'nonsense']) {
      const [, data = ''] = await graph.error('mutate', { ...set('a', 1), if_commit });
      expect(JSON.parse(data)).toEqual({ expected: if_commit, head });
    }
  });

  test('an empty if_commit is refused, since a write without its condition is not what was meant', async () => {
    const [text] = await graph.error('mutate', { ...set('a', 1), if_commit: '' });
    expect(text).toContain('if_commit must not be empty');
    expect(await headNow()).toBe(head);
  });

  test('the head that a fresh branch inherits is its head', async () => {
    await graph.ok('branches_create', { name: 'side' });
    const answer = await graph.ok('mutate', { ...set('a', 1), branch: 'side', if_commit: head });
    expect((answer['commit'] as Receipt).parent_commit_id).toBe(head);
    expect(await headNow()).toBe(head);
  });

  test('schema_apply, ingest into a new branch and branches_merge take if_commit too', async () => {
    const wider = schema.replace('value: I32', 'value: I32  note: String?');
    await graph.ok('branches_create', { name: 'side' });
    await graph.ok('mutate', { ...set('b', 3), branch: 'side' });
    const now = idOf(await graph.ok('mutate', set('a', 1)));
    for (const dry_run of [true, false])
      for (const [tool, args] of [
        ['schema_apply', { schema: wider }],
        ['branches_merge', { source: 'side' }],
      ] as const) {
        const [text] = await graph.error(tool, { ...args, dry_run, if_commit: head });
        expect(text).toContain(`is at ${now}`);
      }
    const merged = await graph.ok('branches_merge', { source: 'side', if_commit: now });
    expect((merged['commit'] as Receipt).parent_commit_id).toBe(now);
    const applied = await graph.ok('schema_apply', { schema: wider, if_commit: idOf(merged) });
    expect((applied['commit'] as Receipt).parent_commit_id).toBe(idOf(merged));
    const ndjson = JSON.stringify(counter('c', 1));
    const fork = { ndjson, branch: 'new', from: 'main' };
    await graph.error('ingest', { ...fork, if_commit: head });
    expect(await graph.ok('branches_list')).toEqual({ branches: ['main', 'side'] });
    await graph.ok('ingest', { ...fork, if_commit: idOf(applied) });
  });

  describe('over plain HTTP', () => {
    test.each(['If-Match', 'Omnigraph-If-Graph-Commit'])(
      '%s is the condition; 412 has the head',
      async (name) => {
        await post('branches', { name: 'side' });
        await post('mutate', { ...set('b', 3), branch: 'side' });
        const now = idOf(await graph.ok('mutate', set('a', 1)));
        for (const [path, body] of [
          ['mutate/if-graph-commit', set('a', 2)],
          ['schema/apply', { schema: `${schema}node More { name: String @key }` }],
          ['branches/merge', { source: 'side' }],
        ] as const)
          expect((await post(path, body, { [name]: head })).status, path).toBe(412);
        expect(await post('mutate', set('a', 2), { [name]: `"${head}"` })).toMatchObject({
          status: 412,
          body: {
            error: {
              ...{ code: 'HEAD_MOVED', expected: head, head: now },
              changed: [{ kind: 'node', type: 'Counter', name: 'a' }],
            },
            precondition_failure: { expected: head, actual: now },
          },
        });
        const ingest = (commit: string) =>
          fetch(`${served.at}/ingest`, {
            ...{ method: 'POST', body: JSON.stringify(counter('a', 3)) },
            headers: { [name]: commit, 'Content-Type': 'application/x-ndjson' },
          });
        expect((await ingest(head)).status).toBe(412);
        expect(await headNow()).toBe(now);
        expect((await ingest(now)).status).toBe(200);
      },
    );

    test('a condition that is not understood is refused, never ignored', async () => {
      const cases: [path: string, headers: Record<string, string>][] = [
        ['mutate', { 'If-Match': '*' }],
        ['mutate', { 'If-Match': `W/"${head}"` }],
        ['mutate', { 'If-Match': `"${head}", "${head}"` }],
        ['mutate', { 'If-Match': '' }],
        ['mutate', { 'If-Match': head, 'Omnigraph-If-Graph-Commit': 'other' }],
        ['mutate', { 'If-None-Match': `"${head}"` }],
        ['mutate', { 'If-Unmodified-Since': 'Tue, 17 Nov 2026 00:00:00 GMT' }],
        ['mutate', { 'Omnigraph-If-Schema': 'x' }],
        ['mutate', { 'If-Something-New': 'x' }],
        ['mutate/if-graph-commit', {}],
        ['undo', { 'If-Match': head }],
        ['branches', { 'If-Match': head }],
        ['query', { 'Omnigraph-If-Graph-Commit': head }],
      ];
      for (const [path, headers] of cases) {
        const body = path === 'branches' ? { name: 'x' } : path === 'undo' ? { last: 1 } : set('a', 9);
        const answer = await post(path, body, headers);
        expect(answer, JSON.stringify([path, headers])).toMatchObject({
          ...{ status: 400, body: { error: { code: 'INVALID_ARGUMENT' } } },
        });
      }
      expect(await headNow()).toBe(head);
      expect(await graph.ok('branches_list')).toEqual({ branches: ['main'] });
    });

    test('a condition in a header and in the body is refused', async () => {
      const answer = await post('mutate', { ...set('a', 1), if_commit: head }, { 'If-Match': head });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { message: 'if_commit is given twice.' } },
      });
    });
  });

  test('eight writers that each count up on what they read lose no count', async () => {
    const url = `${served.at}/query`;
    const source = 'query q() { match { $c: Counter { name: "a" } } return { $c.value as value } }';
    const countUp = async (): Promise<void> => {
      for (;;) {
        const read = await (await fetch(url, { method: 'POST', body: JSON.stringify({ source }) })).json();
        const { rows, commit_id } = read as { rows: [{ value: number }]; commit_id: string };
        const { status } = await post('mutate', { ...set('a', rows[0].value + 1), if_commit: commit_id });
        if (status === 200) return;
        expect(status).toBe(412);
      }
    };
    const times = 3;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let time = 0; time < times; time += 1) await countUp();
      }),
    );
    const { rows } = (await graph.ok('query', { source })) as { rows: object[] };
    expect(rows).toEqual([{ value: 8 * times }]);
  });
});
