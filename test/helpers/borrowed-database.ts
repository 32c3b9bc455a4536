import { type FreshDatabase, freshDatabase } from '../postgres/support/fresh-database.js';

const idle: FreshDatabase[] = [];

export interface BorrowedDatabase extends Pick<FreshDatabase, 'url' | 'query'> {
  giveBack(): Promise<void>;
}

/** An empty PostgreSQL database; emptied and used again by later tests, since making one takes its time. */
export async function borrowDatabase(): Promise<BorrowedDatabase> {
  const database = idle.pop() ?? (await freshDatabase());
  return {
    url: database.url,
    query: database.query,
    async giveBack() {
      await database.clear();
      idle.push(database);
    },
  };
}
