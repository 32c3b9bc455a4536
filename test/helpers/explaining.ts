import type { Executor } from '../../src/store/sql/executor.js';
import { sql } from '../../src/store/sql/sql.js';

/** Runs statements on an SQLite connection, and notes how it means to go about each. */
export function explaining(connection: Executor, plans: string[]): Executor {
  return {
    all: async (statement) => {
      const plan = await connection.all(sql`explain query plan ${statement}`);
      plans.push(...plan.map((step) => String(step['detail'])));
      return connection.all(statement);
    },
    run: (statement) => connection.run(statement),
    insert: (table, columns, rows) => connection.insert(table, columns, rows),
  };
}
