import { afterAll } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../postgres/support/fresh-database.js';

const made: FreshDatabase[] = [];
const idle: FreshDatabase[] = [];

afterAll(() => Promise.all(made.map((database) => database.drop())));

export interface BorrowedDatabase extends Pick<FreshDatabase, 'url' | 'query'> {
  giveBack(): Promise<void>;
}

/** An empty PostgreSQL database; emptied and used again by the tests of one file, since making one takes its time. */
export async function borrowDatabase(): Promise<BorrowedDatabase> {
  const database = idle.pop() ?? (await freshDatabase());
  if (!made.includes(database)) made.push(database);
  return {
    url: database.url,
    query: database.query,
    async giveBack() {
      await database.clear();
      idle.push(database);
    },
  };
}
