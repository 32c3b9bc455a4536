import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccessControl } from '../../src/access/access-control.js';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

const tokenOf = (actor: string) => `a-token-that-is-long-enough-for-${actor}`;

describe.each(databaseKinds)('trust 30: names that a caller makes up, on $kind', (kind) => {
  let folder: string;
  let scratch: Scratch;
  let server: HttpServer;
  /** What the policy was asked about. */
  let asked: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    await writeFile(
      join(folder, 'policy.yaml'),
      'version: 1\nrules: [{ id: all, allow: { actors: { actor: ann }, actions: [read, graph_admin] } }]\n',
    );
    const tokens = Object.fromEntries(['ann', 'nobody'].map((id) => [id, tokenOf(id)]));
    await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
    scratch = await scratchStore(kind);
    await scratch.store.createGraph('work');
    const access = await openAccessControl(
      {
        tokens: { file: join(folder, 'tokens.json') },
        policy: { server: { file: join(folder, 'policy.yaml') } },
      },
      { warn: () => {} },
    );
    asked = [];
    const watched: AccessControl = {
      ...access,
      canSee(actor, graph) {
        asked.push(graph);
        return access.canSee(actor, graph);
      },
      may(actor, graph, branch) {
        asked.push(`${graph} ${branch}`);
        return access.may(actor, graph, branch);
      },
    };
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      access: watched,
      root: 'server',
      report: () => {},
    });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (actor: string, method: string, path: string, body?: string) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...rpcHeaders, Authorization: `Bearer ${tokenOf(actor)}` },
      ...(body === undefined ? {} : { body }),
    });
    await response.text();
    return response.status;
  };

  test.each(['ann', 'nobody'])('of graphs: the policy is not asked for %s', async (actor) => {
    expect([
      await ask(actor, 'GET', '/graphs/nope/snapshot'),
      await ask(actor, 'POST', '/graphs/nope/memory/mcp', callBody('read_graph')),
      await ask(actor, 'POST', '/graphs/nope/mcp?branch=draft', callBody('snapshot')),
      await ask(actor, 'PATCH', '/graphs/nope', '{"name":"yep"}'),
      await ask(actor, 'DELETE', '/graphs/nope?confirm=nope'),
    ]).toEqual([404, 404, 404, 404, 404]);
    expect(asked).toEqual([]);
  });

  test('of branches: the policy is asked about the graph alone', async () => {
    expect(await ask('ann', 'POST', '/graphs/work/mcp?branch=nope', callBody('snapshot'))).toBe(404);
    expect(asked).toEqual(['work']);
  });
});
