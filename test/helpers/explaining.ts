import type { Executor } from '../../src/store/sql/executor.js';

/** Runs statements on an SQLite connection, and notes how it means to go about each. */
export function explaining(connection: Executor, plans: string[]): Executor {
  return {
    all: async (sql, params) => {
      const plan = await connection.all(`explain query plan ${sql}`, params);
      plans.push(...plan.map((step) => String(step['detail'])));
      return connection.all(sql, params);
    },
    run: (sql, params) => connection.run(sql, params),
    insert: (table, columns, rows) => connection.insert(table, columns, rows),
  };
}
