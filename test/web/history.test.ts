import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`the history, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('lists commits by day, filtered by actor and tool', async () => {
      const page = await at.open('#/demo/history');
      await page.getByRole('link', { name: 'After the review of incident 7' }).waitFor();
      await page.getByLabel('Actor').fill('nightly-agent');
      await page.getByLabel('Actor').press('Tab');
      await page.getByRole('link', { name: 'After the review of incident 7' }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /last night/ }).waitFor();
      expect(page.url()).toContain('actor=nightly-agent');
    });

    test('shows a commit as a diff, and undoes it after a preview', async () => {
      const page = await at.open('#/demo/history');
      await page.getByRole('link', { name: 'Three retries were too many for Stripe' }).click();
      await page.getByRole('row').filter({ hasText: 'Retries a failed charge twice' }).waitFor();
      await page.getByRole('button', { name: 'Undo…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row').filter({ hasText: 'three times' }).waitFor();
      await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('status').getByText('Undid this commit.').waitFor();
      await page.getByRole('link', { name: 'History', exact: true }).first().click();
      await page
        .getByRole('link', { name: /1 observation changed/ })
        .first()
        .waitFor();
    });
  });
}
