import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { entity } from '../helpers/memory-tools.js';
import { databaseKinds, type Scratch, scratchFolder, scratchStore } from '../helpers/stores.js';
import { GraphClient } from './graph-client.js';

const policy = `
version: 1
protected_branches: [main]
rules:
  - { id: boss, allow: { actors: { actor: boss }, actions: [read, change, schema_apply, branch_create, branch_delete, branch_merge] } }
  - { id: bot-reads, allow: { actors: { actor: bot }, actions: [read], branch_scope: any } }
  - { id: bot-writes-drafts, allow: { actors: { actor: bot }, actions: [change], branch_scope: unprotected } }
  - { id: bot-drafts, allow: { actors: { actor: bot }, actions: [branch_create, branch_delete, branch_merge], target_branch_scope: unprotected } }
  - { id: reader, allow: { actors: { actor: reader }, actions: [read] } }
  - { id: outsider, allow: { actors: { actor: outsider }, actions: [read, branch_create, branch_merge], branch_scope: unprotected } }
  - { id: scribe, allow: { actors: { actor: scribe }, actions: [read, change] } }
  - { id: forker, allow: { actors: { actor: forker }, actions: [change, branch_create], branch_scope: unprotected } }
  - { id: operator, allow: { actors: { actor: operator }, actions: [change, graph_admin] } }
  - { id: gatekeeper, allow: { actors: { actor: gatekeeper }, actions: [gate_write] } }
`;
const actors = ['boss', 'bot', 'reader', 'outsider', 'scribe', 'forker', 'operator', 'gatekeeper', 'nobody'];

const unknownTool = { code: -32602, message: expect.stringContaining('unknown tool') };

describe.each(databaseKinds)('a policy on the graph tools on $kind', (kind) => {
  let folder: string;
  let scratch: Scratch;
  let server: HttpServer;

  beforeEach(async () => {
    folder = await scratchFolder();
    await writeFile(join(folder, 'policy.yaml'), policy);
    const tokens = Object.fromEntries(actors.map((id) => [id, tokenOf(id)]));
    await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
    scratch = await scratchStore(kind);
    await scratch.store.createGraph('work');
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      access: await openAccessControl(
        {
          tokens: { file: join(folder, 'tokens.json') },
          policy: { server: { file: join(folder, 'policy.yaml') } },
        },
        { warn: () => {} },
      ),
    });
    await as('boss', 'memory').ok('create_entities', { entities: [entity('Ada')] });
    await as('boss').ok('branches_create', { name: 'draft' });
    await as('boss', 'memory', '?branch=draft').ok('create_entities', { entities: [entity('Eve')] });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
    await rm(folder, { recursive: true });
  });

  const as = (actor: string, surface?: string, query = '') =>
    new GraphClient(`${server.url}/graphs/work/${surface === undefined ? '' : `${surface}/`}mcp${query}`, {
      Authorization: `Bearer ${tokenOf(actor)}`,
    });
  const rest = async (actor: string, method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/graphs/work/${path}`, {
      method,
      headers: { Authorization: `Bearer ${tokenOf(actor)}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const following = ['commits_changes', 'changes_poll'];
  const reading = [
    ...['snapshot', 'schema_get', 'branches_list', 'commits_list', 'commits_get'],
    ...[...following, 'diff'],
  ];
  const changing = ['branches_create', 'branches_delete', 'branches_merge'];

  test('each sees the tools that it may use on some branch', async () => {
    const all = [
      'snapshot',
      'schema_get',
      'schema_apply',
      'ingest',
      'branches_list',
      ...changing,
      'commits_list',
      'commits_get',
      ...following,
      'diff',
      'undo',
    ];
    expect(await as('boss').names()).toEqual(all);
    expect(await as('bot').names()).toEqual(all.filter((name) => name !== 'schema_apply'));
    expect(await as('reader').names()).toEqual(reading);
    expect(await as('gatekeeper').names()).toEqual([]);
  });

  test('a tool that is not for an actor is an unknown one, before its arguments are read', async () => {
    expect(await as('reader').refusal('branches_create', { name: 'x' })).toEqual(unknownTool);
    expect(await as('reader').refusal('branches_create', { name: 7 })).toEqual(
      await as('reader').refusal('branches_create', { name: 'x' }),
    );
  });

  test('a branch that is no text is said to be none, to those who may use the tool', async () => {
    for (const [tool, args] of [
      ['snapshot', { branch: '\ud800' }],
      ['ingest', { ndjson: '', branch: '\ud800' }],
      ['branches_create', { name: '\ud800' }],
      ['branches_delete', { name: '\ud800' }],
      ['branches_merge', { source: '\ud800' }],
      ['commits_list', { branch: '\0' }],
    ] as const) {
      const [text] = await as('boss').error(tool, args);
      expect(text).toMatch(/(branch|name|source): contains (half of a surrogate pair|a NUL)/);
    }
    expect(await as('reader').refusal('branches_create', { name: '\ud800' })).toEqual(unknownTool);
  });

  test('trust 24: a tool that is shown, and refused on the branch of a call that names none, says how to name one', async () => {
    const line = '{"type":"Note","data":{"name":"n"}}';
    for (const [tool, args] of [
      ['ingest', { ndjson: line }],
      ['branches_merge', { source: 'draft' }],
    ] as const) {
      const [text] = await as('bot').error(tool, args);
      expect(text).toContain(`You may not use ${tool} on the branch "main"`);
      expect(text).toContain('?branch=NAME or the header X-Trellis-Branch');
    }
    expect(await rest('bot', 'POST', 'mutate', { query: 'query q() { delete Note }' })).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', hint: expect.stringContaining('X-Trellis-Branch') } },
    });
    expect(await as('bot').ok('ingest', { ndjson: line, branch: 'draft' })).toMatchObject({
      branch: 'draft',
    });
    expect(await as('bot', undefined, '?branch=draft').ok('ingest', { ndjson: line })).toMatchObject({
      branch: 'draft',
    });
    // A branch that the call names is refused like a tool that is not there.
    expect(await as('bot').refusal('ingest', { ndjson: line, branch: 'main' })).toEqual(unknownTool);
    expect(await as('reader').refusal('ingest', { ndjson: line })).toEqual(unknownTool);
  });

  test('who may merge drafts alone cannot merge into a protected branch', async () => {
    expect(
      await as('bot').refusal('branches_merge', { source: 'draft', target: 'main', dry_run: true }),
    ).toEqual(unknownTool);
    expect(await as('bot').ok('branches_merge', { source: 'main', target: 'draft' })).toMatchObject({
      outcome: 'already_up_to_date',
    });
    expect(await as('boss').ok('branches_merge', { source: 'draft' })).toMatchObject({
      outcome: 'fast_forward',
    });
  });

  test('trust 4: who may not run the graph cannot bring in stamps of the write gate', async () => {
    const ndjson =
      '{"type":"Note","data":{"name":"n"}}\n{"type":"Note","data":{"name":"m"},"provenance":{"source":"me","confidence":1}}';
    for (const actor of ['boss', 'scribe']) {
      const [text] = await as(actor).error('ingest', { ndjson });
      expect(text).toContain('Line 2: it has "provenance", which only an operator may set.');
      expect(text).toContain('graph_admin');
      expect(await rest(actor, 'POST', 'ingest', { ndjson })).toMatchObject({
        ...{ status: 403, body: { error: { code: 'FORBIDDEN', line: 2 } } },
      });
    }
    expect(await as('operator').ok('ingest', { ndjson })).toMatchObject({ commit_id: expect.any(String) });
  });

  test('an ingest that makes its branch asks for that too, and for reading the one it starts from', async () => {
    const args = { ndjson: '{"type":"Note","data":{"name":"n"}}', branch: 'fresh', from: 'main' };
    for (const actor of ['scribe', 'forker']) {
      // Whether there is such a branch to start from is not told either.
      for (const from of ['main', 'no-such-branch'])
        expect(await as(actor).refusal('ingest', { ...args, from }), actor).toEqual(unknownTool);
      expect(await rest(actor, 'POST', 'ingest', args), actor).toMatchObject({
        ...{ status: 403, body: { error: { code: 'FORBIDDEN' } } },
      });
    }
    expect(await as('boss').ok('branches_list')).toEqual({ branches: ['draft', 'main'] });
    expect(await as('bot').ok('ingest', args)).toMatchObject({ branch: 'fresh', branch_created: true });
    expect(await as('scribe').ok('ingest', args)).toMatchObject({ branch_created: false });
  });

  test('deleting what was merged asks for that too', async () => {
    await as('bot').ok('branches_create', { name: 'mine', from: 'draft' });
    expect(
      await as('outsider').refusal('branches_merge', {
        source: 'mine',
        target: 'draft',
        delete_branch: true,
      }),
    ).toEqual(unknownTool);
    expect(
      await as('bot').ok('branches_merge', { source: 'mine', target: 'draft', delete_branch: true }),
    ).toMatchObject({
      branch_deleted: true,
    });
  });

  test('whoever may not read a branch can neither fork, merge, look at nor list it, nor its commits', async () => {
    const { commits } = await as('boss').ok('commits_list');
    const [onMain] = commits as { commit_id: string }[];
    const drafts = (await as('boss').ok('commits_list', { branch: 'draft' }))['commits'];
    const [onDraft] = drafts as { commit_id: string }[];
    expect(await as('outsider').refusal('branches_create', { name: 'x', from: 'main' })).toEqual(unknownTool);
    const unnamed = async (tool: string, args: Record<string, unknown> = {}) =>
      (await as('outsider').error(tool, args)).join('');
    expect(await unnamed('branches_create', { name: 'x' })).toContain('You may not use branches_create');
    expect(await as('outsider').refusal('branches_merge', { source: 'main', target: 'draft' })).toEqual(
      unknownTool,
    );
    expect(await unnamed('snapshot')).toContain('You may not use snapshot on the branch "main"');
    expect(await as('outsider').refusal('snapshot', { branch: 'main' })).toEqual(unknownTool);
    expect(await as('outsider').refusal('commits_list', { branch: 'main' })).toEqual(unknownTool);
    expect(await as('outsider').ok('branches_list')).toEqual({ branches: ['draft'] });
    expect(await as('outsider').resource('trellis://branches')).toEqual({ branches: ['draft'] });
    expect(await as('outsider').ok('commits_get', { commit_id: onDraft?.commit_id })).toMatchObject({
      branch: 'draft',
    });
    const feed = async (actor: string) =>
      (await as(actor).ok('commits_changes', { branch: 'draft' }))['entries'] as {
        commit: { branch: string };
      }[];
    expect(new Set((await feed('boss')).map(({ commit }) => commit.branch))).toEqual(
      new Set(['main', 'draft']),
    );
    expect(new Set((await feed('outsider')).map(({ commit }) => commit.branch))).toEqual(new Set(['draft']));
    expect(await as('outsider').refusal('commits_changes', { branch: 'main' })).toEqual(unknownTool);
    const denied = await as('outsider').error('commits_get', { commit_id: onMain?.commit_id });
    const unknown = await as('outsider').error('commits_get', { commit_id: 'x'.repeat(26) });
    expect(denied.join().replace(onMain?.commit_id ?? '', 'ID')).toBe(
      unknown.join().replace('x'.repeat(26), 'ID'),
    );
  });

  test('resources are listed and read under the same policy', async () => {
    const listed = async (actor: string) =>
      (await as(actor).with((client) => client.listResources())).resources.map(({ uri }) => uri);
    expect(await listed('reader')).toEqual(['trellis://schema', 'trellis://branches']);
    expect(await listed('gatekeeper')).toEqual([]);
    await expect(as('gatekeeper').resource('omnigraph://branches')).rejects.toMatchObject({
      message: expect.stringContaining('unknown resource'),
    });
  });

  test('over plain HTTP a denial is 403 on a graph that the actor can see, else 404', async () => {
    expect(await rest('reader', 'POST', 'branches', { name: 'x' })).toMatchObject({
      ...{ status: 403, body: { error: { code: 'FORBIDDEN' } } },
    });
    expect(await rest('bot', 'POST', 'branches/merge', { source: 'draft' })).toMatchObject({ status: 403 });
    expect(await rest('gatekeeper', 'GET', 'branches')).toMatchObject({ status: 403 });
    expect(await rest('nobody', 'GET', 'branches')).toMatchObject({
      ...{ status: 404, body: { error: { code: 'GRAPH_NOT_FOUND' } } },
    });
    expect(await rest('reader', 'GET', 'branches')).toEqual({
      status: 200,
      body: { branches: ['draft', 'main'] },
    });
    const anonymous = await fetch(`${server.url}/graphs/work/branches`);
    expect(anonymous.status).toBe(401);
    expect(await as('boss').ok('branches_list')).toEqual({ branches: ['draft', 'main'] });
  });
});

function tokenOf(actor: string): string {
  return `a-token-that-is-long-enough-for-${actor}`;
}
