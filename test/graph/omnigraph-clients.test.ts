import { beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { serveGraphs } from './graph-server.js';

const schema = 'node Person { email: String @key  age: I32? }\nedge Knows: Person -> Person { how: String? }';
const lines = [
  ...['ada', 'bob', 'eve'].map((email) => ({ type: 'Person', data: { email } })),
  { edge: 'Knows', id: 'k1', from: 'ada', to: 'bob', data: { how: 'work' } },
]
  .map((line) => JSON.stringify(line))
  .join('\n');
const people = 'query people() { match { $p: Person } return { $p.email as email } order { $p.email } }';

interface Entry {
  readonly items: readonly object[];
}

describe.each(databaseKinds)('what clients of Omnigraph call, on $kind', (kind) => {
  const served = serveGraphs(kind);
  beforeEach(async () => {
    await served.tools.ok('schema_apply', { schema });
  });

  const call = (name: string, args: Record<string, unknown>) =>
    served.tools.with(async (client) => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
      expect(isError ?? false, JSON.stringify(content)).toBe(false);
      return structuredContent as Record<string, unknown>;
    });
  const rest = async (method: string, path: string, body?: string, type = 'application/json') => {
    const headers = body === undefined ? {} : { 'Content-Type': type };
    const response = await fetch(`${served.at}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };

  test('load, read and change are callable with query_source and query_name, in both spellings, and not listed', async () => {
    const loaded = await call('load', { data: lines, mode: 'append' });
    expect(loaded).toMatchObject({ nodes: [{ name: 'Person', loaded: 3 }] });
    expect(loaded['graph_commit_id']).toBe(loaded['commit_id']);
    for (const args of [
      { query_source: people, query_name: 'people' },
      { querySource: people, queryName: null },
      { query: people },
    ]) {
      const read = await call('read', args);
      expect(read).toMatchObject({ row_count: 3, graph_commit_id: loaded['commit_id'] });
    }
    const source = 'query older() { update Person set { age: 3 } where email = "ada" }';
    expect(await call('change', { querySource: source })).toMatchObject({ affected_nodes: 1 });
    const names = await served.tools.names();
    for (const name of ['load', 'read', 'change']) expect(names).not.toContain(name);
    const [text] = await served.tools.error('read', { source: people, query_source: people });
    expect(text).toContain('query_source is another name of source, and both are given.');
    const [both] = await served.tools.error('load', { ndjson: lines, data: lines });
    expect(both).toContain('data is another name of ndjson, and both are given.');
    const [neither] = await served.tools.error('load', { data: '' });
    expect(neither).toContain('neither ndjson nor data has a text.');
  });

  test('commits_get takes commitId and pages its changes; nothing is left out or shown twice', async () => {
    const { commit_id } = await call('load', { data: lines });
    const whole = await served.tools.ok('commits_get', { commit_id });
    const pages: { nodes: object[]; edges: object[] }[] = [];
    for (let cursor: unknown; ; ) {
      const page = await call('commits_get', { commitId: commit_id, limit: 1, cursor });
      pages.push(page['changes'] as { nodes: object[]; edges: object[] });
      cursor = page['nextCursor'];
      if (cursor === undefined) break;
    }
    expect(pages).toHaveLength(4);
    const { nodes, edges } = whole['changes'] as { nodes: object[]; edges: object[] };
    const byText = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
    expect(pages.flatMap((page) => page.nodes).sort(byText)).toEqual([...nodes].sort(byText));
    expect(pages.flatMap((page) => page.edges)).toEqual(edges);
    const foreign = await call('commits_list', { limit: 1 });
    await served.tools.error('commits_get', { commit_id, cursor: foreign['nextCursor'] ?? 'x' });
  });

  test('commits_changes of one commit comes in pages, each change with kind, type, id, operation and ends', async () => {
    const { commit_id } = await call('load', { data: lines });
    const items: object[] = [];
    for (let cursor: unknown; ; ) {
      const page = await call('commits_changes', { commitId: commit_id, limit: 3, cursor });
      items.push(...(page['entries'] as Entry[]).flatMap((entry) => entry.items));
      if (page['has_more'] !== true) break;
      cursor = page['cursor'];
    }
    expect(items).toHaveLength(4);
    expect(items).toContainEqual({ kind: 'node', type: 'Person', id: 'eve', operation: 'insert' });
    expect(items).toContainEqual({
      ...{ kind: 'edge', type: 'Knows', id: 'k1', operation: 'insert', from: 'ada', to: 'bob' },
    });
  });

  test('changes_poll starts behind a baseline commit, and goes on from its cursor', async () => {
    const { commit_id } = await call('load', { data: lines });
    await call('change', { query: 'query q() { delete Person where email = "eve" }' });
    const first = await call('changes_poll', { cursor: commit_id, wait_seconds: 0 });
    expect((first['entries'] as Entry[]).map((entry) => entry.items)).toEqual([
      [{ kind: 'node', type: 'Person', id: 'eve', operation: 'delete' }],
    ]);
    expect(await call('changes_poll', { cursor: first['cursor'], wait_seconds: 0 })).toMatchObject({
      entries: [],
    });
    await served.tools.ok('branches_create', { name: 'side' });
    const elsewhere = await call('change', {
      query: 'query q() { insert Person { email: "zoe" } }',
      branch: 'side',
    });
    for (const cursor of ['0'.repeat(26), String(elsewhere['commit_id'])]) {
      const [text] = await served.tools.error('changes_poll', { cursor, wait_seconds: 0 });
      expect(text).toContain(`The history of the branch "main" has no commit ${cursor}.`);
    }
  });

  test('deleting a branch that is not there does nothing and says so', async () => {
    await served.tools.ok('branches_create', { name: 'side' });
    expect(await served.tools.ok('branches_delete', { name: 'side' })).toEqual({
      name: 'side',
      deleted: true,
    });
    expect(await served.tools.ok('branches_delete', { name: 'side' })).toEqual({
      name: 'side',
      deleted: false,
    });
    expect(await rest('DELETE', 'branches/side')).toMatchObject({
      ...{ status: 200, text: '{"name":"side","deleted":false}' },
    });
  });

  test('load, load/ndjson, read, change and POST export are routes', async () => {
    expect(await rest('POST', 'load', JSON.stringify({ data: lines, mode: 'merge' }))).toMatchObject({
      status: 200,
    });
    const more = JSON.stringify({ type: 'Person', data: { email: 'zoe' } });
    for (const type of ['application/x-ndjson', 'application/json'])
      expect((await rest('POST', 'load/ndjson?mode=merge&branch=main', more, type)).status).toBe(200);
    const read = await rest('POST', 'read', JSON.stringify({ query_source: people }));
    expect(JSON.parse(read.text)).toMatchObject({ row_count: 4 });
    const gone = JSON.stringify({ query: 'query q() { delete Person where email = "zoe" }' });
    expect((await rest('POST', 'change', gone)).status).toBe(200);
    const knows = await rest(
      'POST',
      'export',
      JSON.stringify({ branch: 'main', type_names: ['Knows'], ids: true }),
    );
    expect(knows.text).toBe(`${lines.split('\n').at(-1)}\n`);
    expect((await rest('POST', 'export', '{}')).text.trimEnd().split('\n')).toHaveLength(4);
    expect(await rest('POST', 'export', JSON.stringify({ type_names: ['Know'] }))).toMatchObject({
      ...{ status: 400, text: expect.stringContaining('Did you mean \\"Knows\\"?') },
    });
  });

  test('an unknown route answers with the error shape of the routes', async () => {
    const { status, text } = await rest('POST', 'laod', '{}');
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'NOT_FOUND', message: `There is no route POST /graphs/${served.name}/laod.` },
    });
    for (const path of ['/laod', '/v1/graphs', '/graph/work/query']) {
      const response = await fetch(new URL(path, served.at), { method: 'POST', body: '{}' });
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { error: { code: 'NOT_FOUND', message: `There is no route POST ${path}.` } },
      ]);
    }
  });
});
