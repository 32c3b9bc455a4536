import pg from 'pg';
import { expect, test } from 'vitest';
import { PgExecutor } from '../../src/store/postgres/pg-executor.js';
import { sql } from '../../src/store/sql/sql.js';
import { freshDatabase } from './support/fresh-database.js';
import { describeWithRealServer } from './support/real.js';

const manyRows = Array.from({ length: 250 }, (_, id) => [id]);

describeWithRealServer('a transaction that makes a small table large', () => {
  test('plans its statements again unless its statistics are known, and later transactions do not', async () => {
    const database = await freshDatabase();
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const client = await pool.connect();
    try {
      const executor = new PgExecutor(client);
      const mode = async () => (await executor.all(sql`show plan_cache_mode`))[0]?.['plan_cache_mode'];
      executor.run(sql`create table item (id bigint)`);
      executor.run(sql`begin`);
      executor.insert('item', ['id'], [[1], [2]]);
      expect(await mode()).toBe('auto');
      executor.insert('item', ['id'], manyRows);
      expect(await mode()).toBe('force_custom_plan');
      executor.run(sql`commit`);
      expect(await mode()).toBe('auto');
      executor.run(sql`analyze item`);
      await executor.flush();
      const later = new PgExecutor(client);
      later.run(sql`begin`);
      later.insert('item', ['id'], manyRows);
      expect(await mode()).toBe('auto');
      later.run(sql`commit`);
      await later.flush();
    } finally {
      client.release();
      await pool.end();
      await database.drop();
    }
  });
});
