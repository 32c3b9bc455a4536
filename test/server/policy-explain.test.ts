import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import type { Action } from '../../src/access/permission.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';

const policy = `
version: 1
protected_branches: [main]
groups: { team: [ann] }
rules:
  - { id: admins, allow: { actors: { actor: root }, actions: [graph_admin] } }
  - { id: team-reads, allow: { actors: { group: team }, actions: [read] } }
  - { id: drafts, allow: { actors: { group: writers }, actions: [change], branch_scope: unprotected } }
`;

interface Report {
  readonly has_policy: boolean;
  readonly actions: readonly { readonly action: Action; readonly allowed: boolean; readonly rule?: string }[];
  readonly mentioned: unknown;
}

describe('GET /graphs/{graph}/policy', () => {
  let folder: string;
  let scratch: Scratch;
  let server: HttpServer;

  const ask = async (query: string, actor = 'root') => {
    const response = await fetch(`${server.url}/graphs/work/policy?${query}`, {
      headers: { Authorization: `Bearer ${tokenOf(actor)}` },
    });
    return { status: response.status, body: await response.json() };
  };
  const granted = async (query: string) => {
    const { actions } = (await ask(query)).body as Report;
    return actions.flatMap(({ action, allowed, rule }) => (allowed ? [`${action} by ${rule}`] : []));
  };

  beforeAll(async () => {
    folder = await scratchFolder();
    scratch = await scratchStore(sqlite);
    await scratch.store.createGraph('work');
    await writeFile(join(folder, 'policy.yaml'), policy);
    const tokens = Object.fromEntries(['root', 'ann', 'stranger'].map((id) => [id, tokenOf(id)]));
    await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
    const access = await openAccessControl(
      {
        tokens: { file: join(folder, 'tokens.json') },
        policy: { server: { file: join(folder, 'policy.yaml') } },
      },
      { warn: () => {} },
    );
    server = await startHttpServer({ store: scratch.store, port: 0, access });
  });
  afterAll(async () => {
    await server.close();
    await scratch.dispose();
    await rm(folder, { recursive: true });
  });

  test('tells what an actor may do, and by which rule', async () => {
    expect(await granted('actor=ann')).toEqual(['read by team-reads']);
    expect(await granted('actor=bob')).toEqual([]);
  });

  test('takes the groups of a token and a branch', async () => {
    expect(await granted('actor=bob&groups=team, writers')).toEqual(['read by team-reads']);
    expect(await granted('actor=bob&groups=writers&branch=draft')).toEqual(['change by drafts']);
  });

  test('names the actors and groups of the policy', async () => {
    const { body } = await ask('actor=ann');
    expect(body).toMatchObject({
      ...{ has_policy: true, actor_id: 'ann', branch: 'main' },
      mentioned: { actors: ['ann', 'root'], groups: ['writers'] },
    });
  });

  test('is for those who have graph_admin', async () => {
    expect(await ask('actor=root', 'ann')).toMatchObject({ status: 403 });
    expect(await ask('actor=root', 'stranger')).toMatchObject({ status: 404 });
  });
});

function tokenOf(actor: string): string {
  return `token-of-${actor}-${'x'.repeat(32)}`;
}
