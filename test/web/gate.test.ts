import { expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { callBody, rpcHeaders } from '../server/helpers.js';
import { describeInBrowser, explorer } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`the gate, on ${kind.kind}`, () => {
    const at = explorer({ kind });
    const write = async (label: string) => {
      const body = callBody('write_node', {
        ...{ label, merge_keys: { name: 'Acme' }, properties: {} },
        ...{ source: 'mail', extraction_method: 'llm' },
      });
      const response = await fetch(`${at.server.url}/graphs/demo/gate/mcp`, {
        ...{ method: 'POST', headers: rpcHeaders, body },
      });
      return /\\?"status\\?": ?\\?"(\w+)/.exec(await response.text())?.[1];
    };

    test('a rule lets in what was rejected, after saying what it does, and can be undone', async () => {
      expect(await write('Supplier')).toBe('rejected');
      const page = await at.open('#/demo/inbox');
      await page.getByRole('heading', { name: 'The gate rejected 3 writes' }).waitFor();
      await page.getByRole('link', { name: 'Let some in' }).click();
      await page.getByRole('button', { name: 'Let Supplier in…' }).click();
      await page.getByText('Agents may write nodes labelled Supplier').waitFor();
      expect(await write('Supplier')).toBe('rejected');
      await page.getByRole('button', { name: 'Add the rule' }).click();
      await page.getByText('The gate now lets Supplier in.').waitFor();
      await page.getByRole('button', { name: 'Let Supplier in…' }).waitFor({ state: 'detached' });
      await expect.poll(() => write('Supplier')).toBe('written');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await expect.poll(() => write('Supplier')).toBe('rejected');
    });

    test('rejections show what was sent', async () => {
      const page = await at.open('#/demo/gate/rejections?code=SCHEMA_TYPE_MISMATCH');
      await page.getByText('amount must be float').waitFor();
      await page.getByText('What was sent').click();
      await page.getByText('"label": "Contract"').waitFor();
    });

    test('the registry says what is let in', async () => {
      const page = await at.open('#/demo/gate/registry');
      const row = page.getByRole('row').filter({ hasText: 'Contract' });
      await row.getByText('amount: float').waitFor();
    });
  });
}
