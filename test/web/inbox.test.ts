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
    });

    test('Correct leads to the facts, each with its own editor', async () => {
      const page = await at.open('#/demo/inbox');
      const group = page.getByRole('region', { name: 'Changes by nightly-agent' });
      const entry = group.getByRole('listitem').filter({ hasText: 'web-app' });
      await entry.getByRole('link', { name: 'Correct' }).click();
      await page.getByRole('button', { name: 'Edit observation 1' }).click();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    test('what needs care shows by itself, and is accepted, corrected or undone', async () => {
      const page = await at.open('#/demo/inbox');
      const care = page.getByRole('region', { name: 'Needs care' });
      await care.getByText('Nodes without relations').click();
      const entry = care.getByRole('listitem').filter({ hasText: 'Lucca 2027' });
      await entry.getByRole('button', { name: 'Undo last change' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await entry.getByRole('button', { name: 'Accept' }).click();
      await entry.waitFor({ state: 'detached' });
      await page.reload();
      await care.getByText('Nodes without relations').click();
      await care.getByRole('button', { name: 'Show what I accepted' }).waitFor();
      expect(await entry.count()).toBe(0);
      await care.getByRole('button', { name: 'Show what I accepted' }).click();
      await entry.getByRole('link', { name: 'Correct' }).click();
      await expect.poll(() => page.url()).toContain('/node/');
    });

    test('a large graph is compared only on request', async () => {
      await at.call('POST', '/graphs', { name: 'crowd' });
      const operations = Array.from({ length: 2_001 }, (_, index) => ({
        ...{ op: 'add_node', name: `crowd ${index}`, type: 'crowd' },
      }));
      for (let from = 0; from < operations.length; from += 500)
        await at.call('POST', '/graphs/crowd/edit', { operations: operations.slice(from, from + 500) });
      const page = await at.open('#/crowd/inbox');
      await page.getByText('comparing them takes a while').waitFor();
      await page.getByRole('button', { name: 'Look for nodes that need care' }).click();
      await page.getByText('Nodes without relations').waitFor();
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
