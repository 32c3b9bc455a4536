import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { grantAsDocumented } from './support/documented-grants.js';
import { freshDatabase } from './support/fresh-database.js';
import { testWithRealServer } from './support/real.js';

const author = { actor: 'ann', tool: 'test' };
const rejection = { ...author, code: 'A', time: 0, message: '', arguments: null, details: null };

testWithRealServer('what docs/postgres.md grants is all that a server needs', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const role = `trellis_role_${randomBytes(4).toString('hex')}`;
  const owner = await openStoreAtLocation(database.url);
  await owner.createGraph('default');
  await owner.close();
  await database.query(`create role ${role} login password 'secret'`);
  expect(await grantAsDocumented(database, role)).toBeGreaterThan(5);
  onTestFinished(async () => {
    await database.query(`drop owned by ${role}`);
    await database.query(`drop role ${role}`);
  });

  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  const store = await openStoreAtLocation(url.href, { keptRejections: 1, compileGraphSchema });
  onTestFinished(() => store.close());
  await store.createGraph('other');
  await store.createBranch('default', 'draft');
  for (const branch of ['main', 'draft']) {
    const graph = new Graph(store, 'default', { branch });
    await graph.write(author, async (tx) => {
      await createNodesLenient(tx, [{ type: 'person', name: 'Ann', observations: ['likes tea'] }]);
      await createEdgesWithStubs(tx, [{ from: 'Ann', type: 'knows', to: 'Bob' }]);
      const [ann] = await tx.rows.nodesNamed(['Ann']);
      if (ann) await tx.rows.putNodes([{ ...ann, props: { age: 40 } }]);
    });
    await graph.write(author, (tx) => deleteNodes(tx, ['Ann']));
  }
  await store.deleteBranch('default', 'draft');
  const other = new Graph(store, 'other');
  await applyGraphSchema(
    { commit: (work) => other.commit(author, work) },
    { source: 'node City { name: String @key  size: I32? @index }' },
  );

  const space = { model: 'test', perspective: '', dimension: 2 };
  const pending = (await store.vectors?.pending('default', space, 10)) ?? [];
  expect(pending.map(({ text }) => text)).toContain('likes tea');
  const vectors = pending.map(({ document }) => ({ document, vector: Float32Array.of(0.6, 0.8) }));
  await store.vectors?.put('default', space, vectors);
  await store.vectors?.maintain('default', space);
  expect(await store.vectors?.pending('default', space, 10)).toEqual([]);
  await store.vectors?.forget('default');
  expect(await store.vectors?.pending('default', space, 10)).toEqual(pending);
  for (const message of ['one', 'two']) await store.keepRejection('default', { ...rejection, message });
  expect(await store.rejections('default')).toMatchObject([{ message: 'two' }]);
});
