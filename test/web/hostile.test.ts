import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { describeInBrowser, explorer, settled } from './explorer.js';

const attack = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
const word = 'W'.repeat(10_000);
const emoji = '👩‍👩‍👧‍👦 family';
const reversed = 'abc\u202Egnp.exe';
const arabic = 'مرحبا بالعالم';
const type = `T${'y'.repeat(100)}pe`;
const branch = `b${'r'.repeat(60)}anch`;
const names = [attack, word.slice(0, 300), emoji, reversed, arabic];
const node = `${encodeURIComponent(type)}/${encodeURIComponent(attack)}`;

const views = [
  'inbox',
  'search',
  'search?q=onerror',
  `node/${node}`,
  `graph/${node}`,
  'history',
  'branches',
  `branches/${branch}`,
  'query',
  'query/schema',
  'gate',
  'gate/rejections',
  'gate/registry',
  'admin',
];

for (const kind of databaseKinds) {
  describeInBrowser(`a graph full of hostile text, on ${kind.kind}`, () => {
    const at = explorer({
      kind,
      async prepare(store) {
        await store.createGraph('g'.repeat(60));
      },
    });
    const edit = (on: string, operations: readonly object[], message?: string) =>
      at.call('POST', '/graphs/demo/edit', { branch: on, operations, message });

    test('changes nothing: markup is text, and long words break, on a desk and on a phone', async () => {
      const observations = [attack, word, `${emoji} ${reversed}`, `bell\u0007 and ${arabic}`];
      const rest = {
        ...{ observations, summary: word.slice(0, 2_000), tags: ['t'.repeat(100), '<b>tag</b>'] },
        props: { ['p'.repeat(80)]: word, nested: { a: [1, 2, attack] } },
      };
      await edit(
        'main',
        [
          ...names.map((name) => ({ op: 'add_node', name, type, ...rest })),
          ...names
            .slice(1)
            .map((to) => ({ op: 'add_edge', from: attack, to, type: `rel_${'z'.repeat(100)}` })),
        ],
        `${attack} ${word.slice(0, 800)}`,
      );
      await at.remember(`${attack} again`, ...observations);
      await at.call('POST', '/graphs/demo/branches', { name: branch, from: 'main' });
      for (const [on, text] of [
        [branch, word],
        ['main', `short ${word}`],
      ] as const) {
        await edit(on, [{ op: 'replace_observation', name: attack, ordinal: 1, text }]);
      }
      const page = await at.open('#/demo/inbox');
      for (const view of views) {
        await page.goto('about:blank');
        await page.goto(`${at.server.url}/#/demo/${view}`);
        await page.locator('main h1').waitFor();
        await settled(page);
        if (view.startsWith('search')) await page.getByText(attack).first().waitFor();
        if (view === `branches/${branch}`) await page.getByText('One conflict').waitFor();
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          const harmless = { width, isAttacked: false, elements: 0 };
          await expect.poll(async () => [view, await harmOf(page)]).toEqual([view, harmless]);
        }
      }
    });

    test('characters that nobody would see are shown by their number', async () => {
      const page = await at.open('#/demo/inbox');
      const entry = page.getByRole('listitem').filter({ hasText: 'again' });
      await entry.getByRole('button', { name: 'Show' }).click();
      await entry.getByText('abc⟨U+202E⟩gnp.exe').waitFor();
      await entry.getByText('bell⟨U+0007⟩').waitFor();
      await entry.getByText(emoji).waitFor();
      expect(await harmOf(page)).toEqual({ width: 1280, isAttacked: false, elements: 0 });
    });

    test('is saved as a picture', async () => {
      const relation = `${attack}\u001b\u0007\u202e\uffff`;
      const [from, to] = [`from ${relation}`, `to ${relation}`];
      await edit('main', [
        { op: 'add_node', name: from, type: 'note' },
        { op: 'add_node', name: to, type: 'note' },
        { op: 'add_edge', from, to, type: relation },
      ]);
      const page = await at.open(`#/demo/graph/note/${encodeURIComponent(from)}`);
      await page.getByRole('checkbox', { name: /^note/ }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save PNG' }).click(),
      ]);
      expect((await readFile(await download.path())).subarray(1, 4).toString()).toBe('PNG');
    });
  });
}

/** What stored text did to the page: its width, and scripts and elements that it brought in. */
async function harmOf(page: Page) {
  return {
    width: await page.evaluate(() => document.documentElement.scrollWidth),
    isAttacked: await page.evaluate(() => 'attacked' in window),
    elements: await page.locator('main img, main script').count(),
  };
}
