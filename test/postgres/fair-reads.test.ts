import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/postgres-store.js';
import { type BorrowedDatabase, borrowDatabase } from '../helpers/borrowed-database.js';
import { describeWithRealServer } from './support/real.js';

/** PGlite has one connection. */
describeWithRealServer('connections of a PostgreSQL store', () => {
  let database: BorrowedDatabase;
  let store: PostgresStore;
  beforeEach(async () => {
    database = await borrowDatabase();
    const url = new URL(database.url);
    url.searchParams.set('max', '6');
    store = await openPostgresStore(url.href);
    await store.createGraph('g');
  });
  afterEach(async () => {
    await store.close();
    await database.giveBack();
  });

  test.each(['short', 'linear'] as const)(
    '%s reads of one actor leave some to those of others',
    async (length) => {
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      let running = 0;
      const wait = async () => {
        running += 1;
        await ended;
      };
      const busy = Array.from({ length: 8 }, () =>
        store.read({ graph: 'g' }, wait, { length, actor: 'busy' }),
      );
      await expect.poll(() => running).toBe(2);
      const counts = await store.read({ graph: 'g' }, (reader) => reader.counts(), {
        length,
        actor: 'other',
      });
      expect(counts.nodes).toBe(0);
      expect(running).toBe(2);
      end();
      await Promise.all(busy);
    },
  );
});
