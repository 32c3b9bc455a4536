import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import { countRoundTrips } from './support/count-round-trips.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';

const author = { actor: 'ann', tool: 'test' };

describe('how often a write waits for the database', () => {
  let database: FreshDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await freshDatabase();
    store = await openStoreAtLocation(database.url);
    await store.createGraph('default');
    // Names are looked up once, and connections opened.
    await create('Ann');
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const write = (work: Parameters<Graph['write']>[1]) => new Graph(store, 'default').write(author, work);
  const create = (name: string) =>
    write((tx) => createNodesLenient(tx, [{ type: 'person', name, observations: ['a fact'] }]));
  const add = (text: string) => write((tx) => addObservationsStrict(tx, [{ name: 'Ann', texts: [text] }]));
  const many = <T>(work: (nth: number) => Promise<T>) =>
    countRoundTrips(() => Promise.all(Array.from({ length: 40 }, (_, nth) => work(nth))));

  test('a create alone', async () => {
    expect((await countRoundTrips(() => create('Bob'))).waits).toBe(3);
  });

  test('an added observation alone', async () => {
    expect((await countRoundTrips(() => add('another fact'))).waits).toBe(5);
  });

  test('creates that come together wait once each, beside the lock and the commit', async () => {
    const { waits, transactions } = await many((nth) => create(`Bob ${nth}`));
    expect(waits - 2 * transactions).toBeLessThanOrEqual(40);
  });

  test('added observations that come together wait three times each', async () => {
    const { waits, transactions } = await many((nth) => add(`fact ${nth}`));
    expect(waits - 2 * transactions).toBeLessThanOrEqual(3 * 40);
  });
});
