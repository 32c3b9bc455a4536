import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, explorer, settled } from './explorer.js';

const mostTabs = 60;

/** Presses Tab, or another key, until something with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < mostTabs; presses += 1) {
    await page.keyboard.press(key);
    const focused = await nameOfFocus(page);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    seen.push(focused);
  }
  throw new Error(`${key} does not lead to ${name}, but to ${seen.join(', ')}`);
}

function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const text = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent;
    return text.trim();
  });
}

describeInBrowser('with the keyboard alone', () => {
  const at = explorer();
  const press = async (page: Page, ...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

  test('the navigation is reached by Tab, in the order of the page, and the content can be skipped to', async () => {
    const page = await at.open('#/demo/inbox');
    await page.getByRole('link', { name: 'review/harbor-2' }).waitFor();
    const order: string[] = [];
    for (let presses = 0; presses < 15; presses += 1) {
      await page.keyboard.press('Tab');
      order.push(await nameOfFocus(page));
    }
    const views = ['Inbox', 'Search', 'Graph', 'History', 'Branches', 'Query', 'Gate', 'Admin'];
    expect(order.filter((name) => views.includes(name))).toEqual(views);
    expect(order[0]).toBe('Skip to content');
    expect(order.slice(-3)).toEqual(['Theme: system', 'Help', 'review/harbor-2']);
    await tabTo(page, 'Skip to content', 'Shift+Tab');
    await press(page, 'Enter', 'Tab');
    expect(await nameOfFocus(page)).toBe('review/harbor-2');
  });

  test('each view has a key, which the help lists, and Tab goes on in its content', async () => {
    const page = await at.open('#/demo/inbox');
    await page.getByRole('link', { name: 'Porto Vecchio' }).waitFor();
    await press(page, '?');
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.waitFor();
    const rows = await help.getByRole('row').allTextContents();
    await press(page, 'Escape');
    await help.waitFor({ state: 'detached' });
    const views = rows.flatMap((row) => /^g(\w)Go to (\w+)$/.exec(row)?.slice(1) ?? []);
    expect(views).toHaveLength(16);
    for (let index = 0; index < views.length; index += 2) {
      await press(page, 'g', views[index] ?? '');
      await heading(page, views[index + 1] ?? '');
      await settled(page);
      await press(page, 'Tab');
      expect(await page.evaluate(() => document.querySelector('main :focus') !== null)).toBe(true);
      // Letters in a field are text.
      await page.evaluate(() => document.getElementById('main')?.focus());
    }
  });

  test('a slash searches from any view, and a result is opened', async () => {
    const page = await at.open('#/demo/history');
    await heading(page, 'History');
    await press(page, '/');
    await page.keyboard.type('idempotency');
    await page.locator('mark').first().waitFor();
    await tabTo(page, /^ADR 2/);
    await press(page, 'Enter');
    await heading(page, 'ADR 2: idempotency keys for charges decision');
  });

  test('what is typed before the view is painted is kept', async () => {
    const page = await at.open('#/demo/history');
    await heading(page, 'History');
    await page.evaluate(async () => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      const box = document.activeElement;
      if (!(box instanceof HTMLInputElement)) return;
      box.value = 'marina';
      box.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await expect.poll(() => page.url()).toContain('q=marina');
    expect(await page.getByRole('searchbox').inputValue()).toBe('marina');
  });

  test('changes are accepted one after the other, and looked at', async () => {
    const page = await at.open('#/demo/inbox');
    await page.getByRole('link', { name: 'Porto Vecchio' }).waitFor();
    await tabTo(page, /^Accept all of contract-reader/);
    await tabTo(page, 'Show');
    await press(page, 'Enter');
    await page.getByRole('region', { name: 'Changes by contract-reader' }).getByRole('table').waitFor();
    await tabTo(page, 'Accept');
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'Porto Vecchio' }).waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toBe('Accept');
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'Lucca 2027' }).waitFor({ state: 'detached' });
    await tabTo(page, 'Undo…');
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toBe('Undo…');
  });

  test('a line is edited; Escape leaves it as it was, and the focus comes back', async () => {
    const page = await at.open('#/demo/node/service/web-app');
    await heading(page, 'web-app service');
    await tabTo(page, 'Edit observation 1');
    await press(page, 'Enter');
    await page.keyboard.type('Not kept');
    await press(page, 'Escape');
    await expect.poll(() => nameOfFocus(page)).toBe('Edit observation 1');
    expect(await page.getByText('Not kept').count()).toBe(0);
    await press(page, 'Enter', 'Control+a');
    await page.keyboard.type('A Preact application');
    await press(page, 'Control+Enter');
    await said(page, 'Changed observation 1.');
    await expect.poll(() => nameOfFocus(page)).toBe('Edit observation 1');
    await press(page, 'Control+z');
    await said(page, 'Undone.');
    await page.getByText('A React application', { exact: true }).first().waitFor();
    await tabTo(page, 'Add property');
    await press(page, 'Enter');
    await expect.poll(() => nameOfFocus(page)).toBe('Name');
    await press(page, 'Escape');
    await expect.poll(() => nameOfFocus(page)).toBe('Add property');
  });

  test('a node is added', async () => {
    const page = await at.open('#/demo/search');
    await tabTo(page, 'New node…');
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'New node' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('Typed node');
    await tabTo(page, 'Type');
    await page.keyboard.type('note');
    await press(page, 'Tab');
    await page.keyboard.type('One fact');
    await press(page, 'Enter');
    await page.keyboard.type('Another fact');
    await tabTo(page, 'Add');
    await press(page, 'Enter');
    await heading(page, 'Typed node note');
    await page.getByText('Another fact').first().waitFor();
  });

  test('the graph is grown from the list of its nodes', async () => {
    const page = await at.open('#/demo/graph');
    await page.getByText(/^[1-9]\d* nodes/).waitFor();
    await tabTo(page, 'Nodes in the drawing');
    await press(page, 'Enter');
    await tabTo(page, /^payment-service/);
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'payment-service' }).waitFor();
    await tabTo(page, 'Start here', 'Shift+Tab');
    await press(page, 'Enter');
    await expect.poll(() => page.url()).toContain('/graph/service/payment-service');
  });

  test('a dialog that is gone does not take the focus back', async () => {
    const page = await at.open('#/demo/branches/review%2Fharbor-2');
    await page.getByText('One conflict').waitFor();
    await settled(page);
    await tabTo(page, 'Discard branch…');
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    // As quick as keys can follow one another: the page hears of the end of a dialog a moment later.
    await dialog.evaluate((element) => {
      if (element instanceof HTMLDialogElement) element.close();
      document.querySelector<HTMLElement>('form.card input')?.focus();
    });
    // A closed dialog has no role any more; it is gone when the page has heard of its end.
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toBe('Message (optional)');
    await tabTo(page, 'Discard branch…');
    await press(page, 'Enter');
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await nameOfFocus(page)).toBe('Discard branch…');
  });

  test('a merge is decided', async () => {
    const page = await at.open('#/demo/branches/review%2Fharbor-2');
    await page.getByText('One conflict').waitFor();
    await settled(page);
    await tabTo(page, /^Take all of/);
    await press(page, 'Tab', 'ArrowRight');
    await expect.poll(() => page.getByRole('radio', { checked: true }).count()).toBe(1);
    await tabTo(page, 'Discard branch…');
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Escape');
    await expect.poll(() => nameOfFocus(page)).toBe('Discard branch…');
    await press(page, 'Shift+Tab', 'Enter');
    await said(page, 'Merged review/harbor-2 into main.');
  });
});
