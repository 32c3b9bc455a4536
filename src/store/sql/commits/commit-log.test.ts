import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteConnection } from '../../sqlite/sqlite-connection.js';
import { openSqliteStore, type SqliteStore } from '../../sqlite/sqlite-store.js';
import { sql } from '../sql.js';
import { CommitLog } from './commit-log.js';

const author = { actor: 'ann', tool: 'test' };
let folder: string;
let store: SqliteStore;
let connection: SqliteConnection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  store = await openSqliteStore(join(folder, 'store.db'));
  await store.createGraph('default');
  connection = new SqliteConnection(store.location);
});
afterEach(async () => {
  connection.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

test('what a large commit touched is not half known if gc forgets it between two pages', async () => {
  const { commit } = await store.write({ graph: 'default' }, author, async (writer) => {
    const drafts = Array.from({ length: 1_500 }, (_, index) => ({ type: 'thing', name: `thing ${index}` }));
    const made = await writer.addIdentities(drafts);
    await writer.putNodes(made.map(({ node, type, name }) => ({ id: node, type, name })));
  });
  const id = commit?.id ?? '';
  // It would go on indexing.
  await store.close();
  const [row] = await connection.all(sql`select id from graph`);
  const graph = Number(row?.['id']);
  expect((await new CommitLog(connection, graph).touchedBy(id)).nodes).toHaveLength(1_500);

  let pages = 0;
  const interrupted = new Proxy(connection, {
    get(known, name) {
      if (name !== 'all') return Reflect.get(known, name, known);
      return async (statement: Parameters<SqliteConnection['all']>[0]) => {
        const rows = await known.all(statement);
        if (statement.sql.includes('from touched') && ++pages === 1) {
          known.run(sql`update commit_log set collected = 1`);
          known.run(sql`delete from touched`);
        }
        return rows;
      };
    },
  });
  await expect(new CommitLog(interrupted, graph).touchedBy(id)).rejects.toMatchObject({
    code: 'COMMIT_COLLECTED',
  });
});
