import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axe } from './axe.js';
import { describeInBrowser, explorer, settled } from './explorer.js';

interface Seen {
  readonly hash: string;
  /** What to wait for before it is examined. */
  readonly ready: string;
  /** A button to press first. */
  readonly press?: string;
}

const views: readonly Seen[] = [
  { hash: 'demo/inbox', ready: 'Porto Vecchio' },
  { hash: 'demo/inbox', ready: 'This page shows what agents', press: 'Help' },
  { hash: 'demo/search?q=retries', ready: 'Retries a failed charge twice' },
  { hash: 'demo/search', ready: 'Observations, one on each line', press: 'New node…' },
  { hash: 'demo/graph', ready: 'Nodes in the drawing' },
  { hash: 'demo/history', ready: 'After the review of incident 7' },
  { hash: 'demo/node/service/payment-service', ready: 'Three retries were too many for Stripe' },
  { hash: 'demo/node/service/payment-service', ready: 'Ctrl+Enter saves', press: 'Edit observation 1' },
  { hash: 'demo/node/service/payment-service', ready: 'with 2 observations', press: 'Delete…' },
  { hash: 'demo/query?source=query%20q(%24x%3A%20I32)%20%7B%20match', ready: 'Line 1, column' },
  { hash: 'demo/query/schema', ready: 'Relation types' },
  { hash: 'demo/gate', ready: 'Let Supplier in' },
  { hash: 'demo/gate/rejections', ready: 'amount must be float' },
  { hash: 'demo/gate/registry', ready: 'Extraction methods' },
  { hash: 'demo/admin', ready: 'Searchable by meaning' },
  { hash: 'demo/branches', ready: 'Compare and merge' },
  { hash: 'demo/branches/review%2Fharbor-2', ready: 'One conflict' },
  // A graph without anything in it.
  { hash: 'default/inbox', ready: 'trellis demo' },
  { hash: 'default/search', ready: 'This branch is empty' },
  { hash: 'default/graph', ready: 'There is nothing to draw' },
  { hash: 'default/history', ready: 'Nothing has been written to this branch yet' },
  { hash: 'default/node/person/Nobody', ready: 'This branch never had such a node' },
  { hash: 'default/query/stored', ready: 'There is no stored query' },
  { hash: 'default/query/schema', ready: 'It is still empty' },
  { hash: 'default/gate', ready: 'The registry has everything' },
  { hash: 'default/gate/registry', ready: 'The registry is empty' },
];

describeInBrowser('axe finds nothing serious', () => {
  const at = explorer();

  test.each(['light', 'dark'] as const)('in any view, %s', async (colorScheme) => {
    const page = await at.open('#/demo/inbox', { colorScheme });
    for (const { hash, ready, press } of views) {
      await page.goto('about:blank');
      await page.goto(`${at.server.url}/#/${hash}`);
      if (press !== undefined) await page.getByRole('button', { name: press, exact: true }).click();
      await page.getByText(ready).first().waitFor();
      await settled(page);
      expect([hash, await seriousProblems(page)]).toEqual([hash, []]);
    }
  });

  test('which it would, if there were any', async () => {
    const page = await at.open('#/demo/history');
    await page.getByText('After the review of incident 7').waitFor();
    await page.evaluate(() => {
      const [label] = document.querySelectorAll('main label');
      label?.replaceWith(...label.querySelectorAll('input'));
      document.querySelector<HTMLElement>('main h1')?.style.setProperty('color', 'silver');
    });
    const found = await seriousProblems(page);
    expect(found.map(([id]) => id).sort()).toEqual(['color-contrast', 'label']);
  });
});

async function seriousProblems(page: Page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)] as const);
}
