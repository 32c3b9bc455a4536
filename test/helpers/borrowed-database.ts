import { afterAll } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../postgres/support/fresh-database.js';

const made: FreshDatabase[] = [];
const idle: FreshDatabase[] = [];

afterAll(() => Promise.all(made.map((database) => database.drop())));

/** An empty PostgreSQL database; emptied and used again by the tests of one file, since making one takes its time. */
export async function borrowDatabase(): Promise<{ url: string; giveBack(): Promise<void> }> {
  const database = idle.pop() ?? (await freshDatabase());
  if (!made.includes(database)) made.push(database);
  return {
    url: database.url,
    async giveBack() {
      await database.clear();
      idle.push(database);
    },
  };
}
