import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { databaseKinds, type Scratch, scratchFolder, scratchStore } from '../helpers/stores.js';
import { toolNames, withClient } from '../server/helpers.js';
import { knows, person, registerPeople } from './gate-client.js';

const actors = ['agent', 'blind', 'other', 'reviewer', 'merger'] as const;
type ActorName = (typeof actors)[number];
const tokenOf = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;

/** Agents may write through the gate on main alone; what they write there waits on branches that they may not use. */
const policy = `version: 1
protected_branches: [main]
rules:
  - id: agents-write
    allow: { actors: { actor: agent }, actions: [read, gate_write], branch_scope: protected }
  - id: others-write
    allow: { actors: { actor: other }, actions: [read, gate_write], branch_scope: protected }
  - id: blind-agents-write
    allow: { actors: { actor: blind }, actions: [gate_write], branch_scope: protected }
  - id: reviewers-read
    allow: { actors: { actor: reviewer }, actions: [read] }
  - id: reviewers-merge
    allow: { actors: { actor: reviewer }, actions: [branch_merge, branch_delete] }
  - id: mergers-merge-what-they-cannot-read
    allow: { actors: { actor: merger }, actions: [branch_merge] }
`;
const unsure = { extraction_method: 'llm', reliability: 0.5 };
const sure = { extraction_method: 'api', reliability: 0.9 };

describe.each(databaseKinds)('review branches under a policy, over HTTP, on $kind', (kind) => {
  let folder: string;
  let scratch: Scratch;
  let server: HttpServer;

  beforeEach(async () => {
    folder = await scratchFolder();
    scratch = await scratchStore(kind);
    await registerPeople(scratch.store);
    const [tokens, rules] = [join(folder, 'tokens.json'), join(folder, 'policy.yaml')];
    const known = Object.fromEntries(actors.map((actor) => [actor, tokenOf(actor)]));
    await writeFile(tokens, JSON.stringify(known), { mode: 0o600 });
    await writeFile(rules, policy);
    const files = { tokens: { file: tokens }, policy: { server: { file: rules } } };
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      report: () => {},
      access: await openAccessControl(files, { warn: () => {} }),
      root: { graph: 'default', surface: 'graph' },
      settings: () => ({ gate: { trust: [{ below: 0.5, branch: 'review/{actor}' }] } }),
    });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const headersOf = (actor: ActorName, branch?: string) => ({
    Authorization: `Bearer ${tokenOf(actor)}`,
    ...(branch === undefined ? {} : { 'X-Trellis-Branch': branch }),
  });
  const callOn = (surface: string) => (actor: ActorName, name: string, args: object, branch?: string) =>
    withClient(
      `${server.url}/graphs/default/${surface}/mcp`,
      async (client) => {
        const { isError, structuredContent, content } = await client.callTool({
          name,
          arguments: { ...args },
        });
        return {
          isError,
          answer: structuredContent as Record<string, unknown>,
          text: JSON.stringify(content),
        };
      },
      { headers: headersOf(actor, branch) },
    );
  const gate = callOn('gate');
  const graph = callOn('graph');
  const branchNames = async () => (await scratch.store.branches('default')).map(({ name }) => name).sort();
  const hold = async (actor: ActorName, ...given: Parameters<typeof person>) =>
    (await gate(actor, 'write_node', person(given[0], given[1], { ...unsure, ...given[2] }))).answer;

  test('who may neither create nor read nor merge the branch has writes held there', async () => {
    expect(await hold('agent', 'Ada')).toMatchObject({
      status: 'held',
      branch: 'review/agent',
      created: true,
    });
    expect(await branchNames()).toEqual(['main', 'review/agent']);
    const { answer } = await graph('agent', 'branches_list', {});
    expect(JSON.stringify(answer)).not.toContain('review/agent');
    expect(
      await withClient(`${server.url}/graphs/default/graph/mcp`, toolNames, { headers: headersOf('agent') }),
    ).not.toContain('branches_merge');
    const merged = await graph('agent', 'branches_merge', { source: 'review/agent', target: 'main' }).catch(
      (error: unknown) => ({ isError: true, text: String(error) }),
    );
    expect(merged.isError).toBe(true);
    const unread = await fetch(`${server.url}/graphs/default/memory/mcp`, {
      method: 'POST',
      headers: {
        ...{ ...headersOf('agent', 'review/agent'), 'Content-Type': 'application/json' },
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(unread.status).toBe(404);
  });

  test('the branch of a held write cannot be written to directly', async () => {
    await hold('agent', 'Ada');
    const refused = await gate('agent', 'write_node', person('Eve', {}, sure), 'review/agent').then(
      ({ isError }) => isError,
      () => true,
    );
    expect(refused).toBe(true);
  });

  test('neither answers nor rejections tell what the branch holds, to those who may not read it', async () => {
    await hold('agent', 'Katharina', { age: 30, email: 'secret@example.org' }, { reliability: 0.8 });
    const similar = await hold('agent', 'Katherina');
    expect(similar).toMatchObject({ status: 'held' });
    expect(similar).not.toHaveProperty('similar');
    const conflict = await hold('agent', 'Katharina', { age: 31 }, { reliability: 0.1 });
    expect(JSON.stringify(conflict)).not.toMatch(/secret|"stored"/);
    const missing = await gate('agent', 'write_relationship', knows('Katharina', 'Nobody', unsure));
    expect(missing.answer).toMatchObject({ status: 'rejected', error_code: 'ENDPOINT_NOT_FOUND' });
    expect(missing.text).not.toContain('secret');
    const derived = await hold('other', 'Conclusion', {}, { derived_from: ['Katharina'] });
    expect(derived).toMatchObject({ status: 'rejected', error_code: 'INVALID_ARGUMENT' });
    expect(JSON.stringify(derived)).not.toMatch(/Person:Katharina|secret/);
  });

  test('writers do not see each other, and their branches are apart', async () => {
    await hold('agent', 'Ada', { age: 1 });
    expect(await hold('other', 'Ada', { age: 2 })).toMatchObject({ branch: 'review/other', created: true });
    expect(await hold('blind', 'Ada')).toMatchObject({ branch: 'review/blind', created: true });
    expect(await branchNames()).toEqual(['main', 'review/agent', 'review/blind', 'review/other']);
  });

  test('an actor who may read nothing cannot use derived_from to ask what exists', async () => {
    await gate('agent', 'write_node', person('Ada', {}, sure));
    for (const name of ['Ada', 'Nobody']) {
      const { answer } = await gate(
        'blind',
        'write_node',
        person('X', {}, { ...sure, derived_from: [name] }),
      );
      expect(answer).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('read'),
      });
    }
  });

  test('a merge needs branch_merge on the target and read on the branch', async () => {
    await hold('agent', 'Ada', { age: 36 });
    const branch = { source: 'review/agent', target: 'main' };
    const blocked = await graph('merger', 'branches_merge', branch).catch((error: unknown) => ({
      isError: true,
      text: String(error),
    }));
    expect(blocked.isError).toBe(true);
    expect(blocked.text).not.toContain('Ada');
    const found = () => callOn('memory')('agent', 'read_graph', {});
    expect((await found()).text).not.toContain('Ada');
    const merged = await graph('reviewer', 'branches_merge', branch);
    expect(merged.isError, merged.text).not.toBe(true);
    expect((await found()).text).toContain('Ada');
  });
});
