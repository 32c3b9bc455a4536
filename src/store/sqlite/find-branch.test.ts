import { expect, test } from 'vitest';
import { explaining } from '../../../test/helpers/explaining.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import { openInMemory } from './open-connections.js';
import { sqliteDialect } from './sqlite-dialect.js';

test.each([
  [
    'a write',
    (catalog: GraphCatalog) => catalog.lockBranch({ graph: 'b' }, '', sqliteDialect.sequenceColumns),
  ],
  ['a read', (catalog: GraphCatalog) => catalog.lineage({ graph: 'b' })],
])('%s finds its branch without looking at those of other graphs', async (_, find) => {
  const connection = await openInMemory();
  for (const name of ['a', 'b']) await new GraphCatalog(connection).createGraph(name, 0);
  const plans: string[] = [];
  await find(new GraphCatalog(explaining(connection, plans)));
  // Twice if another test of this process had a graph of the same name.
  expect(plans.filter((step) => step.includes('SEARCH b USING')).length).toBeGreaterThan(0);
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  connection.close();
});
