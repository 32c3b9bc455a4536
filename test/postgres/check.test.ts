import { expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { freshDatabase } from './support/fresh-database.js';

test('check finds rows that contradict each other', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const store = await openStoreAtLocation(database.url);
  await store.createGraph('default');
  expect(await store.check()).toEqual([]);

  await database.query(`insert into trellis.edge_row (graph, from_node, to_node, type, key, branch, born, from_name, to_name,
    weight, created_at, order_seq, order_position) values (1, 1, 2, 'knows', '', 1, 1, 'a', 'b', 1, 0, 1, 0)`);
  await database.query("update trellis.branch set head_commit = 'nowhere'");
  const findings = await store.check();
  await store.close();
  expect(findings).toEqual([
    '1 live edges refer to a node that does not exist',
    '1 branches whose head is not in the history',
  ]);
});

test('what gc leaves of a deleted branch contradicts nothing', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const store = await openStoreAtLocation(database.url);
  onTestFinished(() => store.close());
  await store.createGraph('default');
  await store.createBranch('default', 'draft');
  const create = (branch: string, name: string, observations: string[]) =>
    new Graph(store, 'default', { branch }).write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(tx, [{ type: 'thing', name, observations }]),
    );
  await create('draft', 'a', ['the newest observation']);
  await create('main', 'b', []);
  await store.deleteBranch('default', 'draft');
  expect(await store.collect('default', { before: Number.MAX_SAFE_INTEGER })).toMatchObject({ nodes: 1 });
  expect(await store.check()).toEqual([]);
});
