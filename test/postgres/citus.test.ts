import { expect, test } from 'vitest';
import { distributePostgresStore, openPostgresStore } from '../../src/store/postgres/postgres-store.js';
import { freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';

/** Needs the coordinator of a cluster: TRELLIS_TEST_POSTGRES=postgres://… TRELLIS_TEST_CITUS=1. */
const onCitus = test.skipIf(!isCitus);

onCitus('a store in a cluster is distributed when it is created', async () => {
  const database = await freshDatabase();
  const store = await openPostgresStore(database.url);
  expect(await store.layout()).toBe('distributed by graph over 2 nodes of a Citus cluster');
  const plans = await distributePostgresStore(database.url);
  expect(plans.filter(({ now, wanted }) => now !== wanted)).toEqual([]);
  await store.close();
  await database.drop();
});
