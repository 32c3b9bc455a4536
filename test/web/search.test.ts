import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`the search, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('finds by words, and marks the words in the observation', async () => {
      const page = await at.open('#/demo/search');
      await page.getByRole('heading', { name: 'Recently changed' }).waitFor();
      await page.getByRole('combobox', { name: 'by' }).selectOption('text');
      await page.getByRole('searchbox').fill('idempotency keys');
      await page.getByRole('heading', { name: 'Found' }).waitFor();
      await page.locator('mark', { hasText: 'idempotency' }).first().waitFor();
      const first = page.getByRole('region', { name: 'Results' }).getByRole('link').first();
      expect(await first.textContent()).toBe('ADR 2: idempotency keys for charges');
      await first.click();
      expect(page.url()).toContain('/node/decision/ADR%202');
    });

    test('shows each observation that matched', async () => {
      await at.remember('Kettle', 'Boils zeppelin water', 'Made of steel', 'A zeppelin of tea');
      const page = await at.open('#/demo/search?q=zeppelin&mode=text');
      const hit = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Kettle' }) });
      await hit.locator('mark').nth(1).waitFor();
      expect(await hit.locator('mark').allTextContents()).toEqual(['zeppelin', 'zeppelin']);
      expect(await hit.textContent()).not.toContain('Made of steel');
    });

    test('filters are part of the address, and can be removed', async () => {
      const page = await at.open('#/demo/search');
      await page.getByRole('button', { name: /^person/ }).click();
      await expect.poll(() => page.url()).toContain('type=person');
      await page.getByRole('link', { name: 'Ben Ruiz' }).waitFor();
      await page.getByRole('link', { name: 'payment-service' }).waitFor({ state: 'detached' });
      await page.getByLabel('Changed by').fill('nobody');
      await page.getByLabel('Changed by').press('Tab');
      await page.getByText('remove a filter').waitFor();
      await page.getByRole('button', { name: 'Remove filters' }).click();
      await page.getByRole('link', { name: 'payment-service' }).waitFor();
      expect(page.url()).toMatch(/#\/demo\/search$/);
    });
  });
}
