import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { runTool } from '../../src/surfaces/dispatch.js';
import { plainGraphSurface } from '../../src/surfaces/graph/graph-surface.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { databaseKinds, scratchFolder } from '../helpers/stores.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { describeInBrowser, explorer, hold } from './explorer.js';

const schema = `
interface Described { note: String? }
node Cook { email: String @key  born: Date? }
node Recipe implements Described { slug: String @key  minutes: I32?  @range(minutes, 1..600) }
edge Wrote: Cook -> Recipe { on: Date? }
edge Knows: Cook -> Cook
`;
const queries = `
query quick($most: I32) @description("Recipes that are done soon") {
  match { $r: Recipe  $r.minutes <= $most }
  return { $r.slug as slug, $r.minutes as minutes }
  order { slug }
}
query add_cook($email: String, $born: Date?) @description("Adds a cook") {
  insert Cook { email: $email, born: $born }
}
`;
const data = `query fill() {
  insert Recipe { slug: "soup", minutes: 20 }
  insert Recipe { slug: "<img src=x onerror=alert(1)>", minutes: 30 }
  insert Recipe { slug: "roast", minutes: 180 }
  insert Cook { email: "ann@example.org" }
}`;

for (const kind of databaseKinds) {
  describeInBrowser(`queries, on ${kind.kind}`, () => {
    let folder = '';
    const kitchen: { queries?: SurfaceSettings['queries'] } = {};
    const at = explorer({
      kind,
      settings: (graph) => (graph === 'kitchen' ? kitchen : {}),
      async prepare(store) {
        folder = await scratchFolder();
        const file = join(folder, 'kitchen.gq');
        await writeFile(file, queries);
        kitchen.queries = ['quick', 'add_cook'].map((name) => ({ name, file, source: 'test' }));
        await store.createGraph('kitchen');
        const context = requestContextOn(plainGraphSurface, new Graph(store, 'kitchen'));
        await runTool(context, 'schema_apply', { schema });
        await runTool(context, 'mutate', { source: data });
      },
    });
    afterAll(() => rm(folder, { recursive: true }));

    test('a mistake is marked where it is, and its correction is one click', async () => {
      const page = await at.open('#/kitchen/query');
      const editor = page.getByRole('textbox', { name: 'Query', exact: true });
      await editor.fill('query all() {\n  match { $r: Recip }\n  return { $r.slug }\n}');
      await page.getByText('There is no type Recip.').waitFor();
      expect(await page.locator('.code-back mark').textContent()).toBe('Recip');
      await page.getByRole('button', { name: 'Line 2, column 15' }).click();
      expect(await editor.evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(28);
      await page.getByRole('button', { name: 'Use Recipe' }).click();
      await page.getByText('There is no type Recip.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    });

    test('types, relations and properties are completed with the keyboard', async () => {
      const page = await at.open('#/kitchen/query');
      const editor = page.getByRole('textbox', { name: 'Query', exact: true });
      await expect.poll(() => editor.inputValue()).toContain('query example()');
      await editor.fill('');
      await editor.pressSequentially('query q() { match { $c: Co');
      await page.getByRole('option', { name: 'Cook node' }).waitFor();
      await editor.press('Enter');
      await editor.pressSequentially(' $c wr');
      await page.getByRole('option', { name: 'wrote Cook → Recipe' }).waitFor();
      await editor.press('Tab');
      await editor.pressSequentially(' $r } return { $c.em');
      await page.getByRole('option', { name: 'email String' }).waitFor();
      await editor.press('Enter');
      await editor.pressSequentially(' } }');
      expect(await editor.inputValue()).toBe(
        'query q() { match { $c: Cook $c wrote $r } return { $c.email } }',
      );
      await editor.press('Control+Enter');
      await page.getByRole('heading', { name: '0 rows' }).waitFor();
    });

    test('the editor appears with its example, so that nothing is put into what somebody types', async () => {
      const page = await at.open('');
      const goOn = await hold(page, '**/graphs/kitchen/types*');
      await page.goto(`${at.server.url}/#/kitchen/query`);
      const editor = page.getByRole('textbox', { name: 'Query', exact: true });
      await page.getByRole('link', { name: 'Editor' }).waitFor();
      await page.getByText('Loading…').waitFor();
      expect(await editor.count()).toBe(0);
      goOn();
      await editor.waitFor();
      expect(await editor.inputValue()).toContain('query example()');
    });

    test('parameters are a form, and the address holds query and values', async () => {
      const page = await at.open('#/kitchen/query');
      const editor = page.getByRole('textbox', { name: 'Query', exact: true });
      await editor.fill(queries);
      await page.getByLabel('$most').fill('25');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('cell', { name: 'soup' }).waitFor();
      await expect.poll(() => page.url()).toContain('p.most=25');
      await expect.poll(() => page.url()).toContain('source=');
      const other = await at.open(new URL(page.url()).hash);
      await other.getByRole('button', { name: 'Explain' }).click();
      await other.getByRole('heading', { name: 'How it would run' }).waitFor();
      await other.getByRole('button', { name: 'Run' }).click();
      await other.getByLabel('Show as').selectOption('json');
      await other.getByText('"slug": "soup"').waitFor();
      await other.getByLabel('Show as').selectOption('graph');
      await other.getByText('There is no node among the columns.').waitFor();
    });

    test('whole nodes are drawn with the relations between them', async () => {
      const source = 'query q() { match { $a `calls` $b } return { $a, $b } }';
      const page = await at.open(`#/demo/query?as=graph&source=${encodeURIComponent(source)}`);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('link', { name: 'booking-api' }).waitFor();
      await page.locator('.result-graph canvas').first().waitFor();
      expect(await page.getByRole('link', { name: 'Harbor' }).count()).toBe(0);
    });

    test('a stored query that writes becomes a commit that can be undone', async () => {
      const page = await at.open('#/kitchen/query/stored');
      await page.getByRole('link', { name: 'add_cook' }).click();
      await page.getByLabel('$email').fill('bob@example.org');
      await page.getByLabel('$born').fill('1999-12-31');
      await page.getByRole('button', { name: 'Change the branch main' }).click();
      await page.getByText('Changed 1 node and 0 relations.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      const source = 'query cooks() { match { $c: Cook } return { $c.email } }';
      expect(await at.call('POST', '/graphs/kitchen/query', { source })).toMatchObject({ row_count: 1 });
    });

    test('the schema is a diagram and a text; without one, its types', async () => {
      const page = await at.open('#/kitchen/query/schema');
      await page.locator('svg').getByText('minutes: I32?').waitFor();
      await page.locator('svg').getByText('Wrote', { exact: true }).waitFor();
      await page.getByText('edge Knows: Cook -> Cook').waitFor();
      const open = await at.open('#/demo/query/schema');
      await open.getByText('This graph has no schema').waitFor();
      await open.getByRole('link', { name: 'service' }).waitFor();
    });
  });
}
