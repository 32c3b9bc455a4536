import { expect, test } from 'vitest';
import { explaining } from '../../../test/helpers/explaining.js';
import { Catalog } from '../sql/catalog.js';
import { sqliteDialect } from './dialect.js';
import { openInMemory } from './open-connections.js';

test.each([
  ['a write', (catalog: Catalog) => catalog.lockBranch({ graph: 'b' }, '', sqliteDialect.numberColumns)],
  ['a read', (catalog: Catalog) => catalog.lineage({ graph: 'b' })],
])('%s finds its branch without looking at those of other graphs', async (_, find) => {
  const connection = await openInMemory();
  for (const name of ['a', 'b']) await new Catalog(connection).createGraph(name, 0);
  const plans: string[] = [];
  await find(new Catalog(explaining(connection, plans)));
  expect(plans.filter((step) => step.includes('SEARCH b USING'))).toHaveLength(1);
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  connection.close();
});
