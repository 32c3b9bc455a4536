import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer } from './explorer.js';

const hash = '#/demo/node/service/payment-service';
const line = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text }).first();
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

for (const kind of databaseKinds) {
  describeInBrowser(`a node, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('shows who put each line there, and its history as diffs', async () => {
      const page = await at.open(hash);
      await line(page, 'Retries a failed charge twice').getByRole('link', { name: /^ben/ }).waitFor();
      const history = page.getByRole('region', { name: 'History' });
      await history.getByText('Retries a failed charge three times').first().waitFor();
      await history.getByRole('link', { name: 'Three retries were too many for Stripe' }).waitFor();
    });

    test('an address without a type leads to the search', async () => {
      const page = await at.open('#/demo/node/payment-service');
      await page.getByRole('link', { name: 'search for it' }).click();
      await page.getByRole('link', { name: 'payment-service' }).first().waitFor();
      expect(page.url()).toContain('q=payment-service');
    });

    test('an observation is edited in place, and the edit can be undone', async () => {
      const page = await at.open(hash);
      await page.getByRole('button', { name: 'Edit observation 1' }).click();
      await page.getByRole('textbox', { name: 'Observation 1' }).fill('Talks to Stripe and Adyen');
      await page.getByRole('button', { name: 'Save' }).click();
      await said(page, 'Changed observation 1.');
      await line(page, 'Talks to Stripe and Adyen')
        .getByRole('link', { name: /^root|^\w/ })
        .waitFor();
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await said(page, 'Undone.');
      await page.getByText('Talks to Stripe', { exact: true }).first().waitFor();
    });

    test('if two people edit the same line, the slower one sees both and decides', async () => {
      const [ann, ben] = [await at.open(hash), await at.open(hash)];
      for (const page of [ann, ben]) {
        await page.getByRole('button', { name: 'Edit observation 2' }).click();
        await page.getByRole('textbox', { name: 'Observation 2' }).waitFor();
      }
      await ann.getByRole('textbox', { name: 'Observation 2' }).fill('Retries once, says Ann');
      await ann.getByRole('button', { name: 'Save' }).click();
      await said(ann, 'Changed observation 2.');
      await ben.getByRole('textbox', { name: 'Observation 2' }).fill('Never retries, says Ben');
      await ben.getByRole('button', { name: 'Save' }).click();
      const alert = ben.getByRole('alert');
      await alert.getByText('Somebody changed this node').waitFor();
      await alert.getByText('Retries once, says Ann').waitFor();
      await ben.getByRole('button', { name: 'Save mine anyway' }).click();
      await said(ben, 'Changed observation 2.');
      await ann.getByText('Never retries, says Ben').first().waitFor();
    });

    test('two quick edits are both saved, even if the page has not read the first one again', async () => {
      await at.remember('Quick', 'First line', 'Second line');
      const page = await at.open('#/demo/node/note/Quick');
      await page.getByRole('button', { name: 'Edit observation 1' }).waitFor();
      await page.route(/\/nodes?\b/, (route) =>
        route.request().method() === 'GET' ? undefined : route.continue(),
      );
      for (const [ordinal, text] of [
        [1, 'First line, edited'],
        [2, 'Second line, edited'],
      ] as const) {
        await page.getByRole('button', { name: `Edit observation ${ordinal}` }).click();
        await page.getByRole('textbox', { name: `Observation ${ordinal}` }).fill(text);
        await page.getByRole('button', { name: 'Save' }).click();
        await said(page, `Changed observation ${ordinal}.`);
      }
    });

    test('observations, properties and relations are added and deleted', async () => {
      const page = await at.open(hash);
      await page.getByRole('button', { name: 'Add observation' }).click();
      await page.getByRole('textbox', { name: 'New observation' }).fill('Written by hand');
      await page.keyboard.press('Control+Enter');
      await said(page, 'Added an observation.');
      await line(page, 'Written by hand')
        .getByRole('button', { name: /^Delete/ })
        .click();
      await said(page, 'Deleted observation 3.');
      // The page has then read the node again; what is saved before that is refused as out of date.
      await line(page, 'Written by hand')
        .getByRole('button', { name: /^Delete/ })
        .waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add property' }).click();
      await page.getByLabel('Name').fill('port');
      await page.getByLabel('Kind').selectOption('json');
      await page.getByLabel('Value').fill('8443');
      await page.getByRole('button', { name: 'Save' }).click();
      await said(page, 'Added port.');
      await page.getByRole('button', { name: 'Delete port' }).click();
      await said(page, 'Deleted port.');
      await page.getByRole('button', { name: 'Delete port' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add relation' }).click();
      await page.getByLabel('Relation', { exact: true }).fill('stores_data_in');
      await page.getByLabel('Other node', { exact: true }).fill('Redis');
      await page.getByRole('button', { name: 'Save' }).click();
      await said(page, 'Added the relation stores_data_in.');
      const relations = page.getByRole('list', { name: 'Outgoing relations' });
      await relations.getByRole('link', { name: 'Redis' }).waitFor();
      await page.getByRole('button', { name: 'Delete relation stores_data_in to Redis' }).click();
      await relations.getByRole('link', { name: 'Redis' }).waitFor({ state: 'detached' });
    });

    test('a node is renamed, deleted and brought back', async () => {
      await at.remember('Misspeled', 'A fact');
      const page = await at.open('#/demo/node/note/Misspeled?edit=true');
      const dialog = page.getByRole('dialog', { name: 'Edit node' });
      await dialog.getByLabel('Name').fill('Misspelled');
      await dialog.getByLabel('Summary').fill('Now spelled right');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Misspelled', level: 1 }).waitFor();
      expect(page.url()).toContain('/Misspelled');
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').getByText('with 1 observation and 0 relations').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('There is no such node on this branch').waitFor();
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
      await page.getByText('Now spelled right').first().waitFor();
    });

    test('finds the path to another node', async () => {
      const page = await at.open(hash);
      await page.getByLabel('Node', { exact: true }).fill('web-app');
      await page.getByRole('button', { name: 'Find path' }).click();
      const path = page.getByRole('region', { name: 'Path to another node' });
      await path.getByRole('link', { name: 'web-app' }).waitFor();
      expect(page.url()).toContain('to=web-app');
    });
  });
}
