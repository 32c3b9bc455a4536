import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asTrellisError } from '../../src/model/error.js';
import { startHttpServer } from '../../src/server/http/http.js';
import { bind } from '../../src/server/session.js';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { callTool } from '../../src/surfaces/dispatch.js';
import { scratchFolder } from '../helpers/stores.js';
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
  const binding = await bind({ store, report: (error) => reported.push(error) });
  const result = await callTool(binding, 'create_entities', {
    entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
  });
  expect(JSON.stringify(result)).toContain('secret-place');
  expect(reported).toEqual([]);
  await store.close().catch(() => {});
});
