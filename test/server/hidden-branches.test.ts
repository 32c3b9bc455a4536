import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

const token = 'a-token-that-is-long-enough-for-ann';
let folder: string;
let scratch: Scratch;
let server: HttpServer;

beforeEach(async () => {
  folder = await scratchFolder();
  scratch = await scratchStore(sqlite);
  await scratch.store.createBranch('default', 'draft');
  await writeFile(join(folder, 'tokens.json'), JSON.stringify({ ann: token }), { mode: 0o600 });
  await writeFile(
    join(folder, 'policy.yaml'),
    'version: 1\nprotected_branches: [main]\n' +
      'rules: [{ id: main, allow: { actors: any, actions: [read], branch_scope: protected } }]\n',
  );
  const files = {
    tokens: { file: join(folder, 'tokens.json') },
    policy: { server: { file: join(folder, 'policy.yaml') } },
  };
  const access = await openAccessControl(files, { warn: () => {} });
  const root = { graph: 'default', surface: 'graph' };
  server = await startHttpServer({ store: scratch.store, port: 0, report: () => {}, access, root });
});
afterEach(async () => {
  await server.close();
  await scratch.dispose();
  await rm(folder, { recursive: true, force: true });
});

test.each(['/mcp', '/graphs/default/mcp'])(
  'at %s, a branch of others answers as one that is not there',
  async (path) => {
    const ask = async (branch: string) => {
      const headers = { ...rpcHeaders, Authorization: `Bearer ${token}`, 'X-Trellis-Branch': branch };
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers,
        body: callBody('snapshot'),
      });
      return { status: response.status, text: (await response.text()).replaceAll(branch, 'BRANCH') };
    };
    expect((await ask('main')).status).toBe(200);
    expect(await ask('nope')).toMatchObject({ status: 404 });
    expect(await ask('draft')).toEqual(await ask('nope'));
  },
);
