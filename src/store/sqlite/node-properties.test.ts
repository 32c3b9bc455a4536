import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explaining } from '../../../test/helpers/explaining.js';
import type { ReadTarget } from '../graph-targets.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import { sql } from '../sql/sql.js';
import { SqlReader } from '../sql/sql-reader.js';
import { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';
import { openSqliteStore } from './sqlite-store.js';

const folder = mkdtempSync(join(tmpdir(), 'trellis-'));
const author = { actor: 'ann', tool: 'test' };
const props = { email: 'a@b', active: true };
let connection: SqliteConnection;
let commit: string | undefined;

beforeAll(async () => {
  const path = join(folder, 'store.db');
  const store = await openSqliteStore(path);
  await store.createGraph('default');
  const written = await store.write({ graph: 'default' }, author, async (writer) => {
    const [identity] = await writer.addIdentities([{ type: 'person', name: 'Ann' }]);
    await writer.putNodes([{ id: identity?.node ?? 0, type: 'person', name: 'Ann', props }]);
  });
  commit = written.commit?.id;
  await store.createBranch('default', 'try');
  await store.close();
  connection = new SqliteConnection(path);
});
afterAll(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

test.each<[string, () => Partial<ReadTarget>]>([
  ['at the head', () => ({})],
  ['on a branch', () => ({ branch: 'try' })],
  ['at a commit', () => ({ branch: 'try', commit })],
])('nodes are looked up by their properties in indexes alone %s', async (_, target) => {
  const lineage = await new GraphCatalog(connection).lineage({ graph: 'default', ...target() });
  const plans: string[] = [];
  const reader = new SqlReader(explaining(connection, plans), sqliteDialect, lineage);
  expect((await reader.nodesMatching('person', props)).map(({ name }) => name)).toEqual(['Ann']);
  expect(await reader.nodesMatching('person', { email: 'a@b' })).toHaveLength(1);
  expect(await reader.nodesSpeltLike('person', 'ann', 10)).toHaveLength(1);
  expect(await reader.nodesSpeltLike('person', 'Annabel', 10)).toEqual([]);
  // What the counting select reads is what its inner one has found, and a list is what was asked for.
  const scans = plans.filter(
    (step) => step.startsWith('SCAN') && step !== 'SCAN counted' && !step.startsWith('SCAN json_each'),
  );
  expect(scans).toEqual([]);
  // The graph and the branch alone would be no key: everything is in them.
  const searches = plans.filter((step) => step.startsWith('SEARCH'));
  expect(searches.filter((step) => !/hash=\?|node=\?|row=\?/.test(step))).toEqual([]);
  expect(searches.length).toBeGreaterThan(4);
});

test('a node that is written again without other properties adds nothing', async () => {
  const store = await openSqliteStore(join(folder, 'store.db'));
  const entries = async () => (await connection.all(sql`select count(*) as n from node_property`))[0]?.['n'];
  // Two properties, and how the name is spelt.
  expect(await entries()).toBe(3);
  const rewrite = (changed: object) =>
    store.write({ graph: 'default' }, author, async (writer) => {
      const [node] = await writer.nodes();
      if (node) await writer.putNodes([{ ...node, ...changed }]);
    });
  await rewrite({ summary: 'again' });
  await rewrite({ props: { ...props, langs: ['en'], nothing: null } });
  expect(await entries()).toBe(3);
  await rewrite({ props: { ...props, active: false } });
  await rewrite({ props });
  expect(await entries()).toBe(4);
  await store.close();
});
