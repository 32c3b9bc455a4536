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

    test('hides what was last changed by an actor, or at another time', async () => {
      await at.remember('late arrival', 'Comes after everything else');
      const page = await at.open('#/demo/graph');
      const counts = page.getByRole('status').filter({ hasText: 'relations' });
      const svg = async () => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Save SVG' }).click(),
        ]);
        return (await readFile(await download.path())).toString();
      };
      const actors = page.getByRole('group', { name: 'Last changed by' });
      await actors.getByRole('checkbox', { name: /^contract-reader/ }).waitFor();
      expect(await svg()).toContain('>Porto Vecchio</text>');
      await actors.getByRole('checkbox', { name: /^contract-reader/ }).uncheck();
      await counts.filter({ hasText: 'filtered out' }).waitFor();
      const drawn = await svg();
      expect(drawn).not.toContain('>Porto Vecchio</text>');
      expect(drawn).toContain('>late arrival</text>');
      await actors.getByRole('checkbox', { name: /^contract-reader/ }).check();
      await counts.filter({ hasNotText: 'filtered out' }).waitFor();
      await page.getByLabel('Changed from').fill(localDay(0));
      await page.getByLabel('Changed from').press('Tab');
      await counts.filter({ hasText: 'filtered out' }).waitFor();
      expect(page.url()).toContain(`since=${localDay(0)}`);
      expect(await svg()).toContain('>late arrival</text>');
      const [, hidden = ''] =
        /; ([\d,]+) nodes? (?:is|are) filtered/.exec((await counts.textContent()) ?? '') ?? [];
      expect(Number(hidden)).toBeGreaterThan(0);
      await page.getByLabel('Changed from').fill('');
      await page.getByLabel('Changed until').fill(localDay(-1));
      await page.getByLabel('Changed until').press('Tab');
      await expect.poll(() => page.url()).toContain(`until=${localDay(-1)}`);
      await expect.poll(svg).not.toContain('>late arrival</text>');
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

/** As a date field takes it. */
function localDay(daysLater: number): string {
  const day = new Date();
  day.setDate(day.getDate() + daysLater);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
