import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GraphChange } from '../../src/store/graph-change.js';
import type { Store } from '../../src/store/store-contract.js';
import { type BorrowedDatabase, borrowDatabase } from '../helpers/borrowed-database.js';
import { openWithGraph } from '../helpers/stores.js';
import { author, main } from '../store/conformance/context.js';
import { put } from '../store/conformance/graph-by-name.js';
import { describeWithRealServer } from './support/real.js';

const soon = { timeout: 60_000, interval: 20 };

describeWithRealServer('notifications of PostgreSQL', () => {
  let database: BorrowedDatabase;
  let [watching, writing]: Store[] = [];
  let heard: GraphChange[];
  let stop: () => void;

  beforeEach(async () => {
    database = await borrowDatabase();
    watching = await openWithGraph(database.url);
    writing = await openWithGraph(database.url);
    heard = [];
    stop = await watching.watch('default', (change) => heard.push(change));
  });
  afterEach(async () => {
    await watching?.close();
    await writing?.close();
    await database.giveBack();
  });

  /** The backends that listen in this database. */
  async function listening(): Promise<number[]> {
    const rows = await database.query(
      "select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
    );
    return rows.map((row) => Number(row['pid']));
  }

  const write = (name: string) =>
    writing?.write(main, author, (writer) => put(writer, { nodes: { [name]: [] } }));

  test('a watch has one connection of its own, as long as it lasts', async () => {
    await vi.waitFor(async () => expect(await listening()).toHaveLength(1), soon);
    const another = await watching?.watch('default', () => {});
    stop();
    expect(await listening()).toHaveLength(1);
    another?.();
    await vi.waitFor(async () => expect(await listening()).toEqual([]), soon);
  });

  test('what happens while the connection is lost is reported, and what happens after', async () => {
    await vi.waitFor(async () => expect(await listening()).toHaveLength(1), soon);
    const [lost] = await listening();
    await database.query(`select pg_terminate_backend(${lost})`);
    await write('meanwhile');
    await vi.waitFor(() => expect(heard).toHaveLength(1), soon);
    await vi.waitFor(async () => {
      const [now] = await listening();
      expect(now).toBeDefined();
      expect(now).not.toBe(lost);
    }, soon);
    await write('after');
    await vi.waitFor(() => expect(heard).toHaveLength(2), soon);
  });
});
