import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { axe } from './axe.js';
import { describeInBrowser, explorer, settled } from './explorer.js';

/** Every view, and what to wait for before it is examined. */
const views: readonly (readonly [hash: string, ready: string])[] = [
  ['inbox', 'Porto Vecchio'],
  ['search?q=retries', 'Retries a failed charge twice'],
  ['graph', 'Nodes in the drawing'],
  ['history', 'After the review of incident 7'],
  ['node/service/payment-service', 'Three retries were too many for Stripe'],
  ['query?source=query%20q(%24x%3A%20I32)%20%7B%20match', 'Line 1, column'],
  ['gate', 'Let Supplier in'],
  ['gate/registry', 'Extraction methods'],
  ['admin', 'Searchable by meaning'],
  ['branches', 'Compare and merge'],
  ['branches/review%2Fharbor-2', 'One conflict'],
];

describeInBrowser('axe finds nothing serious', () => {
  const at = explorer();

  test.each(['light', 'dark'] as const)('in any view, %s', async (colorScheme) => {
    for (const [view, ready] of views) {
      const page = await at.open(`#/demo/${view}`, { colorScheme });
      await page.getByText(ready).first().waitFor();
      await settled(page);
      await page.evaluate(axe);
      const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
      const serious = results.violations.filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      );
      const found = serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
      expect([view, found]).toEqual([view, []]);
      await page.close();
    }
  });
});
