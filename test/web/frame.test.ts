import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeInBrowser, explorer, settled } from './explorer.js';

describeInBrowser('the frame of the explorer', () => {
  const at = explorer();

  test('every view has an address, with graph and branch in it', async () => {
    const page = await at.open('#/demo/history?branch=review%2Fharbor-2');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.getByLabel('Branch').inputValue()).toBe('review/harbor-2');
    await page.getByLabel('Branch').selectOption('main');
    expect(page.url()).toMatch(/#\/demo\/history$/);
    await page.goBack();
    expect(page.url()).toContain('branch=review%2Fharbor-2');
    expect(await page.getByLabel('Branch').inputValue()).toBe('review/harbor-2');
  });

  test('keys lead to search, help and views', async () => {
    const page = await at.open('#/demo/search');
    const box = page.getByRole('searchbox');
    await box.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('retries');
    await expect.poll(() => page.url()).toContain('q=retries');
    await box.blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'Branches' }).waitFor();
  });

  test('follows the theme of the system, or a chosen one', async () => {
    const page = await at.open('#/demo/search', { colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole('searchbox').waitFor();
    expect(await ground()).toBe('rgb(21, 24, 27)');
    await page.getByRole('button', { name: /Theme/ }).click();
    await expect.poll(ground).toBe('rgb(255, 255, 255)');
  });

  test('nothing is wider than a phone', async () => {
    for (const view of [
      'inbox',
      'search',
      'history',
      'branches',
      'branches/review%2Fharbor-2',
      'node/service/payment-service',
    ]) {
      const page = await at.open(`#/demo/${view}`, { viewport: { width: 360, height: 700 } });
      await page.locator('main h1').waitFor();
      await settled(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([view, width]).toEqual([view, 360]);
    }
  });

  test('an address that leads nowhere says where to go', async () => {
    const page = await at.open('#/demo/nowhere');
    await page.getByText('There is no such page').waitFor();
    await page.goto(`${at.server.url}/#/no-such-graph/history`);
    await page.getByRole('alert').first().waitFor();
  });
});

const folder = await mkdtemp(join(tmpdir(), 'trellis-web-'));
const tokens = { reader: 'a-token-that-is-long-enough-for-reading' };
const policy = `version: 1
rules:
  - id: readers
    allow: { actors: any, actions: [read, graph_list] }
`;
await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
await writeFile(join(folder, 'policy.yaml'), policy);
afterAll(() => rm(folder, { recursive: true }));

describeInBrowser('signing in with a token that only reads', () => {
  const at = explorer({
    access: {
      tokens: { file: join(folder, 'tokens.json') },
      policy: { server: { file: join(folder, 'policy.yaml') } },
    },
  });

  test('the page asks for a token, keeps it for the tab, and shows nothing that is denied', async () => {
    const page = await at.open('#/demo/inbox');
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The server does not accept this token').waitFor();
    await page.getByLabel('Token').fill(tokens.reader);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Porto Vecchio' }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Correct' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Accept all', exact: true }).count()).toBe(1);
    await page.reload();
    await page.getByRole('link', { name: 'Porto Vecchio' }).waitFor();
    await page.goto(`${at.server.url}/#/demo/branches`);
    await page.getByRole('heading', { name: 'Branches' }).waitFor();
    expect(await page.getByLabel('New branch').count()).toBe(0);
    const other = await page.context().newPage();
    await other.goto(`${at.server.url}/#/demo/inbox`);
    await other.getByLabel('Token').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
  });
});
