import { readFile } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fileError } from '../../src/file/file-errors.js';
import { asTrellisError, reasonOf } from '../../src/model/error.js';
import { asEmbedderError } from '../../src/search/embedders/embedder.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { describePostgresError } from '../../src/store/postgres/postgres-errors.js';
import { describeSqliteError } from '../../src/store/sqlite/sqlite-errors.js';
import { plainGraphSurface } from '../../src/surfaces/graph/graph-surface.js';
import type { Surface } from '../../src/surfaces/surface.js';
import { defineTool } from '../../src/surfaces/tool.js';
import { reads } from '../../src/surfaces/tool-annotations.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

/** Every path, address, statement and name below has this in it. */
const secret = 'hush';

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed.');
}

const sources: Readonly<Record<string, () => Promise<unknown>>> = {
  'SQLite, a statement': () =>
    thrownBy(() => new DatabaseSync(':memory:').exec(`select * from ${secret}_table`)),
  'SQLite, a file': () => thrownBy(() => new DatabaseSync(`/nowhere/${secret}.db`)),
  'PostgreSQL, a connection': async () => {
    const client = new pg.Client(`postgres://${secret}:${secret}@127.0.0.1:9/${secret}`);
    return thrownBy(() => client.connect());
  },
  'PostgreSQL, a statement': async () =>
    Object.assign(new pg.DatabaseError(`relation "${secret}" does not exist`, 1, 'error'), { code: '42P01' }),
  'the file system': () => thrownBy(() => readFile(`/nowhere/${secret}.txt`)),
  fetch: () => thrownBy(() => fetch(`http://${secret}.invalid/${secret}`)),
};

/** The same errors as the layers above them word them. */
const translations: Readonly<Record<string, (raw: unknown) => unknown>> = {
  raw: (error) => error,
  'as the SQLite store words it': (error) => describeSqliteError(error, `/var/${secret}.db`),
  'as the PostgreSQL store words it': (error) => describePostgresError(error, `postgres://${secret}/db`),
  'as the file store words it': (error) => fileError(error, 'write', `/var/${secret}.jsonl`),
  'as an embedder words it': asEmbedderError,
};

describe('what goes wrong on the server stays there', () => {
  let scratch: Scratch;
  let server: HttpServer;
  let failure: unknown;
  let reported: unknown[];
  const uri = 'graph://broken';

  const broken: Surface = {
    ...plainGraphSurface,
    tools: [
      defineTool({
        name: 'broken',
        title: 'Broken',
        description: 'Fails.',
        input: z.object({}),
        output: z.object({}),
        annotations: reads,
        action: 'read',
        run: () => Promise.reject(failure),
      }),
    ],
    resources: plainGraphSurface.resources.map((resource) => ({
      ...resource,
      uri,
      read: () => Promise.reject(failure),
    })),
  };

  beforeEach(async () => {
    scratch = await scratchStore(sqlite);
    reported = [];
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      root: { graph: 'default', surface: broken },
      report: (error) => reported.push(error),
    });
  });
  afterEach(async () => {
    await server.close();
    await scratch.dispose();
  });

  async function post(body: string): Promise<string> {
    const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers: rpcHeaders, body });
    return response.text();
  }

  test.each(Object.keys(sources))('%s', async (source) => {
    const raw = await sources[source]?.();
    for (const [wording, translate] of Object.entries(translations)) {
      failure = translate(raw);
      const called = await post(callBody('broken', {}));
      const read = await post(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
      );
      for (const response of [called, read]) {
        expect(response, wording).toContain('standard error');
        expect(response, wording).not.toContain(secret);
        expect(response, wording).not.toContain(reasonOf(raw));
      }
      expect(reported.splice(0).map((error) => asTrellisError(error).message)).toContain(reasonOf(failure));
    }
  });
});
