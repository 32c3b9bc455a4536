import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asTrellisError } from '../../src/model/error.js';
import { startHttpServer } from '../../src/server/http/http-server.js';
import { localRequestContext } from '../../src/server/session.js';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { callTool } from '../../src/surfaces/dispatch.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

let folder: string;

beforeEach(async () => {
  folder = await scratchFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function storeToLose() {
  const store = await openSqliteStore(join(folder, 'secret-place.db'));
  await store.createGraph('default');
  return store;
}

/** Takes the file away from a store that is open, from which nothing can be read any more. */
function lose(): Promise<void> {
  return rename(join(folder, 'secret-place.db'), join(folder, 'elsewhere.db'));
}

test('a store that cannot be used is an error that names no file to clients over HTTP; the log has it', async () => {
  const store = await storeToLose();
  const reported: unknown[] = [];
  const server = await startHttpServer({ store, port: 0, report: (error) => reported.push(error) });
  await lose();
  try {
    const write = { entities: [{ name: 'Ada', entityType: 'person', observations: [] }] };
    const answers = [
      await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: rpcHeaders,
        body: callBody('create_entities', write),
      }),
      await fetch(`${server.url}/graphs/default/ingest`, {
        method: 'POST',
        body: '{"type":"person","data":{"name":"Ada"}}',
      }),
      await fetch(`${server.url}/graphs/default/snapshot`),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).toContain('The store cannot be opened, read or written.');
      expect(text).toContain('standard error');
      expect(text).not.toContain('secret-place');
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503]);
    for (const error of reported) expect(asTrellisError(error).message).toContain('secret-place');
    expect(reported).toHaveLength(3);
  } finally {
    await server.close();
    await store.close().catch(() => {});
  }
});

test('whoever works on this machine is told the file', async () => {
  const store = await storeToLose();
  await lose();
  const reported: unknown[] = [];
  const context = await localRequestContext({ store, report: (error) => reported.push(error) });
  const result = await callTool(context, 'create_entities', {
    entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
  });
  expect(JSON.stringify(result)).toContain('secret-place');
  expect(reported).toEqual([]);
  await store.close().catch(() => {});
});

describe('a file or an address that the settings name, over HTTP and on this machine', () => {
  /** What a tool of a surface answers to a client over HTTP, and to one on this machine; and what was reported. */
  async function toldBoth(
    surface: string,
    settings: SurfaceSettings,
    [tool, args]: readonly [string, object],
    prepare: () => Promise<void> = async () => {},
  ) {
    const store = await storeToLose();
    const reported: unknown[] = [];
    const report = (error: unknown) => reported.push(error);
    const server = await startHttpServer({
      store,
      port: 0,
      root: { graph: 'default', surface },
      settings: () => settings,
      report,
    });
    const context = await localRequestContext({ store, surface, settings: () => settings, report });
    await prepare();
    try {
      const answer = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: rpcHeaders,
        body: callBody(tool, args),
      });
      const remote = await answer.text();
      const reports = reported.length;
      const local = JSON.stringify(await callTool(context, tool, args));
      return { remote, local, reports };
    } finally {
      await server.close();
      await context.surface.close?.();
      await store.close();
    }
  }

  const fact = {
    label: 'Dog',
    merge_keys: { name: 'Rex' },
    properties: {},
    source: 's',
    extraction_method: 'api',
  };

  test('a schema of the gate that is gone', async () => {
    const file = join(folder, 'secret-schema.yaml');
    await writeFile(file, 'nodes: [{ label: Dog }]');
    const call = ['refresh_schema_cache', {}] as const;
    const { remote, local, reports } = await toldBoth('gate', { gate: { registry: file } }, call, () =>
      rm(file),
    );
    expect(remote).toContain('SCHEMA_SOURCE_UNAVAILABLE');
    expect(remote).toContain('The schema source cannot be read.');
    expect(remote).not.toContain('secret-schema');
    expect(remote).not.toContain(folder);
    expect(reports).toBe(1);
    expect(local).toContain(file);
  });

  test('a schema of the gate that never was there; the rejection that is kept has the file', async () => {
    const file = join(folder, 'secret-schema.yaml');
    const { remote, local } = await toldBoth('gate', { gate: { registry: file } }, ['write_node', fact]);
    expect(remote).toContain('SCHEMA_SOURCE_UNAVAILABLE');
    expect(remote).not.toContain('secret-schema');
    expect(local).toContain(file);
    const store = await openSqliteStore(join(folder, 'secret-place.db'));
    expect(JSON.stringify(await store.rejections('default', { limit: 10 }))).toContain(file);
    await store.close();
  });

  test('a formula that throws', async () => {
    const file = join(folder, 'secret-schema.yaml');
    const formula = join(folder, 'secret-formula.mjs');
    await writeFile(file, 'nodes: [{ label: Dog }]');
    await writeFile(
      formula,
      `export const formula = { allowedExtractionMethods: () => ['api'], compute() { throw new Error('see ${formula}'); } };`,
    );
    const gate = { registry: file, formula };
    const { remote, local } = await toldBoth('gate', { gate }, ['write_node', fact]);
    expect(remote).toContain('FORMULA_INVALID_OUTPUT');
    expect(remote).not.toContain('secret-formula');
    expect(local).toContain(formula);
  });

  test('an embedder that does not answer', async () => {
    const embedding = { provider: 'ollama', model: 'm', url: 'http://127.0.0.1:9' } as const;
    const call = ['search_nodes', { query: 'tea', mode: 'hybrid' }] as const;
    const { remote, local } = await toldBoth('workspace', { embedding }, call);
    expect(remote).toContain('The embedder cannot be reached, or returned an invalid response.');
    expect(remote).not.toContain('127.0.0.1');
    expect(local).toContain('http://127.0.0.1:9');
  });
});

describe('a schema whose vectors no embedder can fill', () => {
  test('is applied without naming the address of the embedder', async () => {
    const scratch = await scratchStore(sqlite);
    const embedding = { provider: 'ollama', model: 'm', url: 'http://127.0.0.1:9' } as const;
    const server = await startHttpServer({ store: scratch.store, port: 0, settings: () => ({ embedding }) });
    const schema = 'node Note { name: String @key  body: String?  v: Vector(3)? @embed("body") }';
    try {
      const response = await fetch(`${server.url}/graphs/default/schema/apply`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ schema }),
      });
      const text = await response.text();
      expect(text).toContain('Vectors will be filled when the embedder is available');
      expect(text).not.toContain('127.0.0.1');
    } finally {
      await server.close();
      await scratch.dispose();
    }
  });
});

describe('a surface that cannot be opened', () => {
  async function refusal(surface: string, settings: SurfaceSettings) {
    const store = await storeToLose();
    const reported: unknown[] = [];
    const server = await startHttpServer({
      store,
      port: 0,
      settings: () => settings,
      report: (error) => reported.push(error),
    });
    try {
      const answer = await fetch(`${server.url}/graphs/default/${surface}/mcp`, {
        method: 'POST',
        headers: rpcHeaders,
        body: callBody('any', {}),
      });
      return { text: await answer.text(), reported: reported.map((error) => asTrellisError(error).message) };
    } finally {
      await server.close();
      await store.close();
    }
  }

  test.each<[string, string, (folder: string) => SurfaceSettings]>([
    ['for a schema of the gate', 'gate', (at) => ({ gate: { registry: join(at, 'secret', 'gate.yaml') } })],
    ['for a formula', 'gate', (at) => ({ gate: { formula: join(at, 'secret', 'none.mjs') } })],
    ['for a folder of schemas', 'mesh', (at) => ({ schemas: join(at, 'secret', 'gone') })],
  ])('%s is refused without its place, and the log has it', async (_, surface, settings) => {
    await mkdir(join(folder, 'secret'));
    await writeFile(join(folder, 'secret', 'gate.yaml'), 'nodez: []');
    const { text, reported } = await refusal(surface, settings(folder));
    expect(text).toContain('standard error');
    expect(text).not.toContain('secret');
    expect(reported).toEqual([expect.stringContaining(join(folder, 'secret'))]);
  });
});
