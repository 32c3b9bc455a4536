import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer, hold } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`branches, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('a branch is created, shows that there is nothing to merge, and is discarded', async () => {
      const page = await at.open('#/demo/branches');
      await page.getByLabel('New branch').fill('try/this');
      await page.getByRole('button', { name: 'Create from main' }).click();
      const entry = page.getByRole('listitem').filter({ hasText: 'try/this' });
      await entry.getByRole('link', { name: 'Compare and merge' }).click();
      await page.getByText('Nothing to merge').waitFor();
      await page.getByRole('button', { name: 'Discard branch…' }).click();
      await page.getByRole('dialog').getByText('This cannot be undone').waitFor();
      await page.getByRole('button', { name: 'Delete the branch' }).click();
      await entry.waitFor({ state: 'detached' });
    });

    test('a merge is reviewed change by change, and its conflicts are decided', async () => {
      const page = await at.open('#/demo/branches/review%2Fharbor-2');
      await page.getByRole('group', { name: 'payment-service (service): observation #2' }).waitFor();
      const merge = page.getByRole('button', { name: 'Merge into main' });
      expect(await merge.isDisabled()).toBe(true);
      await page.getByRole('radio', { name: /^review\/harbor-2/ }).check();
      expect(await merge.isEnabled()).toBe(true);
      await page.getByRole('checkbox', { name: 'Take the change of currency-service' }).uncheck();
      await page.getByRole('heading', { name: '6 changes, 3 taken' }).waitFor();
      await page.getByLabel('Message').fill('Reviewed by hand');
      // Whoever goes elsewhere after the message is not taken back to the branches.
      const goOn = await hold(page, '**/graphs/demo/access*');
      await merge.click();
      await expect.poll(() => page.url()).toMatch(/#\/demo\/branches$/);
      goOn();
      await page.getByRole('status').getByText('Merged review/harbor-2 into main.').waitFor();
      await page.goto(`${at.server.url}/#/demo/node/service/payment-service`);
      await page.getByText('Retries a failed charge five times').first().waitFor();
      await page.getByRole('link', { name: 'Reviewed by hand' }).waitFor();
      expect(await at.exists('Harbor 2')).toBe(true);
      expect(await at.exists('currency-service')).toBe(false);
    });
  });
}
