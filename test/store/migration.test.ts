import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { PgExecutor } from '../../src/store/postgres/pg-executor.js';
import { openPool } from '../../src/store/postgres/pool.js';
import { migratePostgres } from '../../src/store/postgres/postgres-migrations.js';
import type { Executor } from '../../src/store/sql/executor.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import { migrateSqlite } from '../../src/store/sqlite/sqlite-migrations.js';
import { defineTextFunctions } from '../../src/store/sqlite/text/sqlite-text-search.js';
import { writeTransaction } from '../../src/store/sqlite/transaction.js';
import { scratchFolder } from '../helpers/stores.js';
import { freshDatabase } from '../postgres/support/fresh-database.js';

type Fill = (
  executor: Executor,
  searchable: Readonly<Record<string, string | readonly string[]>>,
) => Promise<void>;

/** Makes a store as the first version of the tables had it; answers where it is. */
const firstVersions: readonly { kind: string; make(fill: Fill): Promise<string> }[] = [
  {
    kind: 'SQLite',
    async make(fill) {
      const folder = await scratchFolder();
      onTestFinished(() => rm(folder, { recursive: true }));
      const path = join(folder, 'old.db');
      const connection = new SqliteConnection(path);
      defineTextFunctions(connection);
      await writeTransaction(connection, async () => {
        await migrateSqlite(connection, path, 1);
        await fill(connection, {});
      });
      connection.close();
      return path;
    },
  },
  {
    kind: 'PostgreSQL',
    async make(fill) {
      // One that was emptied in a cluster still has its tables, as they are now.
      const { url, drop } = await freshDatabase();
      onTestFinished(drop);
      const pool = openPool(url);
      await migratePostgres(pool, url, 1);
      const executor = new PgExecutor(pool);
      await fill(executor, { document: '', stems: [] });
      await executor.flush();
      await pool.end();
      return url;
    },
  },
];

/** More than are read at a time. */
const nodes = 700;

/** Two graphs, whose nodes have had an earlier version each. */
const fill: Fill = async (executor, searchable) => {
  const into = async (
    table: string,
    rows: readonly Record<string, string | number | null | readonly string[]>[],
  ) =>
    executor.insert(
      table,
      Object.keys(rows[0] ?? {}),
      rows.map((row) => Object.values(row)),
    );
  for (const graph of [1, 2]) {
    await into('graph', [{ id: graph, name: `g${graph}`, created_at: 0 }]);
    await into('branch', [
      {
        graph,
        id: 1,
        name: 'main',
        parent: null,
        fork_seq: 0,
        head_seq: 2,
        head_commit: '02',
        created_at: 0,
      },
    ]);
    await into(
      'commit_log',
      [1, 2].map((seq) => ({
        ...{ graph, seq, id: `0${seq}`, branch: 1, parent: seq === 1 ? null : '01', merged_parent: null },
        ...{ actor: 'ann', tool: 'test', time: 0, counts: '{}' },
      })),
    );
    const ids = Array.from({ length: nodes }, (_, index) => graph * 10_000 + index);
    await into(
      'identity',
      ids.map((node) => ({ graph, name: `ñ漢${node}`, type: 'thing', node, next_ordinal: 1 })),
    );
    const row = (node: number, born: number, died: number | null, props: object | null) => ({
      ...{ graph, node, branch: 1, born, died, type: 'thing', name: `ñ漢${node}`, stub: 0 },
      ...{ props: props === null ? null : JSON.stringify(props), created_at: 0 },
      ...{ order_seq: 1, order_position: node, ...searchable },
    });
    await into('node_row', [
      ...ids.map((node) => row(node, 1, 2, { key: node, old: true })),
      ...ids.map((node) => row(node, 2, null, node % 2 === 0 ? { key: node, rank: 1.0 } : null)),
    ]);
  }
};

describe.each(firstVersions)('a $kind store of the first version', ({ make }) => {
  test('is brought up to date: what nodes had and have is found, rejections can be kept, old versions collected and graphs deleted', async () => {
    const store = await openStoreAtLocation(await make(fill), { warn: () => {} });
    onTestFinished(() => store.close());
    for (const graph of ['g1', 'g2']) {
      const base = graph === 'g1' ? 10_000 : 20_000;
      const names = (props: Record<string, number | boolean>, commit?: string) =>
        store.read({ graph, commit }, async (reader) =>
          (await reader.nodesMatching('thing', props)).map(({ name }) => name),
        );
      expect(await names({ key: base + 698 })).toEqual([`ñ漢${base + 698}`]);
      expect(await names({ key: base + 699 })).toEqual([]);
      expect(await names({ key: base + 699 }, '01')).toEqual([`ñ漢${base + 699}`]);
      expect(await names({ rank: 1 })).toHaveLength(nodes / 2);
      const known = `ñ漢${base + 1}`;
      expect(await store.read({ graph }, (reader) => reader.nodesNamed([known]))).toMatchObject([
        { name: known },
      ]);
      expect(await names({ old: true }, '01')).toHaveLength(nodes);
      await store.keepRejection(graph, {
        ...{ code: 'A', tool: 't', actor: 'ann', time: 0, message: '', arguments: null, details: null },
      });
      expect(await store.rejections(graph)).toHaveLength(1);
      expect(await store.commits({ graph })).toHaveLength(2);
      // The head and what it started from stay.
      expect(await store.collect(graph, { before: Number.MAX_SAFE_INTEGER })).toMatchObject({ commits: 0 });
      expect(await names({ old: true }, '01')).toHaveLength(nodes);
    }
    await store.deleteGraph('g1');
    expect((await store.graphs()).map(({ name }) => name)).toEqual(['g2']);
    expect(await store.check()).toEqual([]);
  });
});
