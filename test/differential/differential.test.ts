import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshSeed } from '../../bench/lib/random.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { times } from '../helpers/full.js';
import { scratchFolder } from '../helpers/stores.js';
import { freshDatabase } from '../postgres/support/fresh-database.js';
import { compare } from './side-by-side.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/differential
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
/** Set by `npm run differential -- --ops N`. */
const operations = Number(process.env['TRELLIS_TEST_OPERATIONS'] ?? times(500, 10_000));

describe(`the same log on two stores (seed ${seed})`, () => {
  test(
    `${operations} operations on SQLite and PostgreSQL: the same answers, the same digest`,
    async () => {
      const folder = await scratchFolder();
      const database = await freshDatabase();
      try {
        const compared = await compare(
          [
            (options) => openStoreAtLocation(join(folder, 'memory.db'), options),
            (options) => openStoreAtLocation(database.url, options),
          ],
          { seed, operations },
        );
        console.log(
          `differential: seed ${seed}, ${operations} operations, ${compared.commits} commits, ${compared.looks} looks, digest ${compared.digest}`,
        );
        expect(compared.commits).toBeGreaterThan(operations / 50);
      } finally {
        await database.drop();
        await rm(folder, { recursive: true });
      }
    },
    60_000 + 20 * operations,
  );

  test('a commit each, on SQLite in a file and in memory', async () => {
    const folder = await scratchFolder();
    try {
      await compare(
        [(options) => openStoreAtLocation(join(folder, 'memory.db'), options), openInMemorySqliteStore],
        {
          ...{ seed, operations: times(200, 1_000), together: 1, lookEvery: 25 },
        },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
