import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { databaseKinds, scratchFolder } from '../helpers/stores.js';
import { describeInBrowser, explorer } from './explorer.js';

for (const kind of databaseKinds) {
  describeInBrowser(`administration, on ${kind.kind}`, () => {
    const at = explorer({ kind });

    test('a graph is created, renamed, and deleted after its name was typed', async () => {
      const page = await at.open('#/demo/admin');
      await page.getByLabel('New graph').fill('drafts');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Rename drafts' }).click();
      await page.getByLabel('New name').fill('sketches');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page.getByRole('button', { name: 'Delete sketches' }).click();
      const confirm = page.getByRole('button', { name: 'Delete the graph' });
      expect(await confirm.isDisabled()).toBe(true);
      await page.getByLabel('Type its name to confirm').fill('sketches');
      await confirm.click();
      await page.getByText('Deleted the graph sketches.').waitFor();
      await page.getByRole('link', { name: 'sketches' }).waitFor({ state: 'detached' });
    });

    test('figures of the store, and who may do what without tokens', async () => {
      const page = await at.open('#/demo/admin');
      await page.getByText(kind.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL').waitFor();
      await page.getByText('of the observations').waitFor();
      await page.getByText('whoever reaches it may do everything').waitFor();
    });
  });
}

const folder = await scratchFolder();
const policy = `
version: 1
rules:
  - { id: admins, allow: { actors: { actor: root }, actions: [read, graph_admin, graph_list] } }
  - { id: readers, allow: { actors: { group: team }, actions: [read, graph_list] } }
`;
const tokens = Object.fromEntries(
  ['root', 'ann'].map((actor) => [actor, `token-of-${actor}-${'x'.repeat(32)}`]),
);
await writeFile(join(folder, 'policy.yaml'), policy);
await writeFile(
  join(folder, 'tokens.json'),
  JSON.stringify({ root: tokens['root'], ann: { hash: tokens['ann'], groups: ['team'] } }),
  { mode: 0o600 },
);

describeInBrowser('the policy', () => {
  afterAll(() => rm(folder, { recursive: true }));
  const at = explorer({
    access: {
      tokens: { file: join(folder, 'tokens.json') },
      policy: { server: { file: join(folder, 'policy.yaml') } },
    },
  });
  const signIn = async (actor: string, hash: string) => {
    const page = await at.open(hash);
    await page.getByLabel('Token').fill(tokens[actor] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  };

  test('shows an administrator what others may do, and by which rule', async () => {
    const page = await signIn('root', '#/demo/admin');
    const decision = (action: string) => page.getByRole('row', { name: new RegExp(`^${action} `) });
    await decision('graph_admin').getByText('admins').waitFor();
    await page.getByLabel('Actor').fill('ann');
    await page.getByLabel('Actor').press('Tab');
    await decision('graph_admin').getByText('denied').waitFor();
    await page.getByLabel('Groups of the token').fill('team');
    await page.getByLabel('Groups of the token').press('Tab');
    await decision('read').getByText('readers').waitFor();
    expect(page.url()).toContain('actor=ann&groups=team');
  });

  test('hides from a reader what only others may do', async () => {
    const page = await signIn('ann', '#/demo/admin');
    await page.getByText('Searchable by meaning').waitFor();
    expect(await page.getByRole('button', { name: /Rename|Delete|Create/ }).count()).toBe(0);
    expect(await page.getByText('Who may do what').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Gate' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Query' }).click();
    await page.getByRole('link', { name: 'Schema' }).waitFor();
    expect(await page.getByRole('link', { name: 'Stored queries' }).count()).toBe(0);
  });
});
