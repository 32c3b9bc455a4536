import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`the inbox, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('opens first, and shows what agents wrote by actor and node', async () => {
      const page = await at.open('');
      await page.getByText('Nothing has been written to this branch yet').waitFor();
      await page.getByLabel('Graph').selectOption('demo');
      await page.getByRole('heading', { name: /changes to review/ }).waitFor();
      expect(page.url()).toContain('#/demo/inbox');
      const group = page.getByRole('region', { name: 'Changes by contract-reader' });
      await group.getByRole('link', { name: 'Porto Vecchio' }).waitFor();
      const entry = group.getByRole('listitem').filter({ hasText: 'Porto Vecchio' });
      await entry.getByRole('button', { name: 'Show' }).click();
      await entry.getByRole('table').first().waitFor();
      await page.getByRole('link', { name: 'review/harbor-2' }).waitFor();
      await page
        .getByRole('region', { name: 'Names that the gate does not know' })
        .getByText('Supplier')
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Look for nodes that need care' }).click();
      await page.getByText('Nodes without relations').click();
      await page
        .getByRole('region', { name: 'Needs care' })
        .getByRole('link', { name: 'Lucca 2027' })
        .first()
        .waitFor();
    });

    test('an accepted entry is gone, also after a reload', async () => {
      const page = await at.open('#/demo/inbox');
      const entry = page.getByRole('listitem').filter({ hasText: 'Porto Vecchio' });
      await entry.getByRole('button', { name: 'Accept' }).click();
      await entry.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('link', { name: 'Lucca 2027' }).waitFor();
      expect(await entry.count()).toBe(0);
      await page.getByRole('button', { name: 'Accept all', exact: true }).click();
      await page.getByText('You have reviewed everything').waitFor();
    });

    test('what an agent writes appears without a reload', async () => {
      const page = await at.open('#/demo/inbox');
      await page.getByRole('link', { name: 'Lucca 2027' }).waitFor();
      await at.remember('Late node', 'A fact that arrived late');
      await page.getByRole('link', { name: 'Late node' }).waitFor();
    });

    test('undo shows what it will do first, and can be undone', async () => {
      await at.remember('Doomed node', 'Wrong from the beginning');
      const page = await at.open('#/demo/inbox');
      const entry = page.getByRole('listitem').filter({ hasText: 'Doomed node' });
      await entry.getByRole('button', { name: 'Undo' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Wrong from the beginning').waitFor();
      await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('status').getByText('Undid this commit').waitFor();
      await expect.poll(() => at.exists('Doomed node')).toBe(false);
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => at.exists('Doomed node')).toBe(true);
    });
  });
}
