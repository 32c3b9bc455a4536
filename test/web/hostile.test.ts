import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeInBrowser, explorer, settled } from './explorer.js';

const attack = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
const word = 'W'.repeat(10_000);
const emoji = '👩‍👩‍👧‍👦 family';
const reversed = 'abc\u202Egnp.exe';
const arabic = 'مرحبا بالعالم';

describeInBrowser('a graph full of hostile text', () => {
  const at = explorer();

  test('changes nothing: markup is text, long words break, invisible characters are named', async () => {
    await at.remember(attack, attack, word, `${emoji} ${reversed}`, `bell\u0007 and ${arabic}`);
    const node = `node/note/${encodeURIComponent(attack)}`;
    for (const view of ['inbox', 'search', 'search?q=onerror', 'history', node]) {
      const page = await at.open(`#/demo/${view}`);
      await page.locator('main h1').waitFor();
      await settled(page);
      if (view !== 'history') await page.getByText(attack).first().waitFor();
      expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
      if (view !== 'inbox') continue;
      const entry = page.getByRole('listitem').filter({ hasText: 'onerror' });
      await entry.getByRole('button', { name: 'Show' }).click();
      await entry.getByText('abc⟨U+202E⟩gnp.exe').waitFor();
      await entry.getByText('bell⟨U+0007⟩').waitFor();
      await entry.getByText(emoji).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    }
  });

  test('is saved as a picture', async () => {
    const type = `${attack}\u001b\u0007\u202e\uffff`;
    const node = (name: string) => ({ op: 'add_node', name, type: 'note' });
    const operations = [
      node(`from ${type}`),
      node(`to ${type}`),
      { op: 'add_edge', from: `from ${type}`, to: `to ${type}`, type },
    ];
    await at.call('POST', '/graphs/demo/edit', { operations });
    const page = await at.open(`#/demo/graph/note/${encodeURIComponent(`from ${type}`)}`);
    await page.getByRole('checkbox', { name: /^note/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save PNG' }).click(),
    ]);
    expect((await readFile(await download.path())).subarray(1, 4).toString()).toBe('PNG');
  });
});
