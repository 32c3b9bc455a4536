import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { databaseKinds, type Scratch, scratchFolder, scratchStore } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

const tokenOf = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;

const serverPolicy = `version: 1
protected_branches: [main]
rules:
  - { id: rob-reads, allow: { actors: { actor: rob }, actions: [read], graphs: [work] } }
  - { id: rob-drafts, allow: { actors: { actor: rob }, actions: [change], branch_scope: unprotected, graphs: [work] } }
`;

const archivePolicy = `permit(principal, action, resource);

// Nobody writes to what is archived.
forbid(principal, action == Action::"change", resource);

@id("nobody-exports")
forbid(principal, action == Action::"export", resource);
`;

describe.each(databaseKinds)('trust 23: the log of a server on $kind', (kind) => {
  let folder: string;
  let scratch: Scratch;
  let server: HttpServer;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    folder = await scratchFolder();
    await writeFile(join(folder, 'policy.yaml'), serverPolicy);
    await writeFile(join(folder, 'archive.cedar'), archivePolicy);
    await writeFile(
      join(folder, 'tokens.json'),
      JSON.stringify({ rob: tokenOf('rob'), eve: tokenOf('eve') }),
      {
        mode: 0o600,
      },
    );
    scratch = await scratchStore(kind);
    for (const graph of ['work', 'archive']) await scratch.store.createGraph(graph);
    await scratch.store.createBranch('work', 'draft');
    const access = await openAccessControl(
      {
        tokens: { file: join(folder, 'tokens.json') },
        policy: {
          server: { file: join(folder, 'policy.yaml') },
          graphs: new Map([['archive', { file: join(folder, 'archive.cedar') }]]),
        },
      },
      { warn: () => {} },
    );
    lines = [];
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      access,
      root: 'server',
      log: pino({ level: 'info', base: null, timestamp: false }, stream),
      report: () => {},
    });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(actor: string, method: string, path: string, body?: string): Promise<string> {
    const headers = {
      ...rpcHeaders,
      Authorization: `Bearer ${tokenOf(actor)}`,
      'X-Request-Id': 'r1',
    };
    const response = await fetch(server.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return response.text();
  }

  const denied = () => lines.filter(({ msg }) => msg === 'denied');
  const create = callBody('create_entities', {
    entities: [{ name: 'A secret', entityType: 'person', observations: ['Another secret'] }],
  });
  const line = (rest: object) => ({ level: 30, msg: 'denied', request: 'r1', actor: 'rob', ...rest });
  const byServer = () => ({ policy: join(folder, 'policy.yaml') });

  test('says of a denied tool what was needed, where, and that no rule gives it; never its arguments', async () => {
    const answer = await ask('rob', 'POST', '/graphs/work/memory/mcp', create);
    expect(denied()).toEqual([
      line({
        tool: 'create_entities',
        action: 'change',
        graph: 'work',
        branch: 'main',
        rule: 'no rule',
        ...byServer(),
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
    expect(answer).not.toMatch(/rule|policy|change/);
  });

  test('a call to the tools of the server names no graph', async () => {
    await ask('rob', 'POST', '/mcp', callBody('graphs_list', {}));
    const [call] = lines.filter(({ msg }) => msg === 'call');
    expect(call).toMatchObject({ surface: 'server', actor: 'rob' });
    expect(call).not.toHaveProperty('graph');
  });

  test('names the branch of the arguments that a rule does not cover', async () => {
    const body = JSON.stringify({ branch: 'main', query: 'query q() { insert Secret { name: "x" } }' });
    await ask('rob', 'POST', '/graphs/work/mutate', body);
    expect(denied()).toMatchObject([{ tool: 'mutate', action: 'change', branch: 'main', rule: 'no rule' }]);
    expect(JSON.stringify(lines)).not.toContain('Secret');
  });

  test('names the rule that forbids it as the policy file does: by its @id, or by its line', async () => {
    await ask('rob', 'POST', '/graphs/archive/memory/mcp', create);
    await ask('rob', 'GET', '/graphs/archive/export');
    const policy = join(folder, 'archive.cedar');
    expect(denied()).toEqual([
      line({
        tool: 'create_entities',
        ...{ action: 'change', graph: 'archive', branch: 'main', rule: 'line 4', policy },
      }),
      line({
        tool: 'export',
        ...{ action: 'export', graph: 'archive', branch: 'main', rule: 'nobody-exports', policy },
      }),
    ]);
  });

  test('tells a tool that does not exist from one that is denied', async () => {
    await ask('rob', 'POST', '/graphs/work/memory/mcp', callBody('creat_entities'));
    expect(denied()).toEqual([
      line({ tool: 'creat_entities', graph: 'work', branch: 'main', reason: 'no such tool here' }),
    ]);
  });

  test('tells a graph that is hidden from one that does not exist', async () => {
    await ask('eve', 'GET', '/graphs/work/snapshot');
    await ask('eve', 'GET', '/graphs/nowhere/snapshot');
    await ask('eve', 'DELETE', '/graphs/work?confirm=work');
    const place = { graph: 'work', branch: 'main' };
    expect(denied()).toEqual([
      line({ actor: 'eve', ...place, action: 'any', rule: 'no rule', ...byServer() }),
      line({ actor: 'eve', graph: 'nowhere', branch: 'main', reason: 'no such graph' }),
      line({ actor: 'eve', ...place, action: 'any', rule: 'no rule', ...byServer() }),
    ]);
  });

  test('has denied resources, and graphs that somebody may not rename', async () => {
    const read = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'trellis://graphs' },
    });
    await ask('rob', 'POST', '/mcp', read);
    await ask('rob', 'PATCH', '/graphs/work', '{"name":"other"}');
    expect(denied()).toEqual([
      line({ resource: 'trellis://graphs', action: 'graph_list', rule: 'no rule', ...byServer() }),
      line({
        tool: 'graph_admin',
        ...{ action: 'graph_admin', graph: 'work', branch: 'main', rule: 'no rule', ...byServer() },
      }),
    ]);
  });

  test('cuts off names that a client makes up', async () => {
    await ask('rob', 'POST', '/graphs/work/memory/mcp', callBody('x'.repeat(10_000)));
    expect(JSON.stringify(denied()).length).toBeLessThan(1_000);
  });
});
