import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`the graph, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('opens on the nodes with most relations, and grows', async () => {
      const page = await at.open('#/demo/graph');
      const counts = page.getByRole('status').filter({ hasText: 'relations' });
      await expect.poll(() => counts.textContent()).toMatch(/^[1-9]\d* nodes/);
      await page.getByText('Nodes in the drawing').click();
      await page.getByRole('button', { name: /^payment-service/ }).click();
      await page.getByRole('button', { name: 'Show neighbours' }).click();
      await page.getByRole('link', { name: 'Start here' }).click();
      expect(page.url()).toContain('/graph/service/payment-service');
      await page.getByRole('checkbox', { name: /^service/ }).uncheck();
    });

    test('is saved as SVG and PNG', async () => {
      const page = await at.open('#/demo/graph/service/payment-service');
      await page.getByRole('checkbox', { name: /^service/ }).waitFor();
      const save = async (kindOfFile: string) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Save ${kindOfFile}` }).click(),
        ]);
        return readFile(await download.path());
      };
      expect((await save('SVG')).toString()).toContain('>payment-service</text>');
      expect((await save('PNG')).subarray(1, 4).toString()).toBe('PNG');
    });
  });
}
