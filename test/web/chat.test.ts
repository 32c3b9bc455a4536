import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { editGraph } from '../../src/engine/write/edit/edit-graph.js';
import type { Store } from '../../src/store/store-contract.js';
import { eras } from '../helpers/eras.js';
import { scratchFolder } from '../helpers/stores.js';
import { withClient } from '../server/helpers.js';
import { axe } from './axe.js';
import { type Chat, chatHost } from './chat-host.js';
import { describeInBrowser, explorer } from './explorer.js';

const payments = { names: ['payment-service'] };

describeInBrowser('the explorer in a chat', () => {
  const at = explorer();
  const chat = chatHost(at);
  const factsOf = async (name: string) => {
    const answer = await at.call('GET', `/graphs/demo/nodes/${encodeURIComponent(name)}`);
    return JSON.stringify(answer);
  };

  test.each(eras)('introduces itself and shows the result of the call, protocol of $era', async (era) => {
    const { app, heard } = await chat('demo/memory', 'open_nodes', payments, { era });
    await app.getByText('Talks to Stripe').waitFor();
    const [, first, second, ...rest] = await heard();
    expect(first).toMatchObject({
      method: 'ui/initialize',
      params: { protocolVersion: '2026-01-26', appInfo: { name: 'trellis-explorer' }, appCapabilities: {} },
    });
    expect(second).toMatchObject({ method: 'ui/notifications/initialized' });
    expect(rest.map(({ method }) => method)).not.toContain('tools/call');
  });

  test('follows the theme and the colours of the host', async () => {
    const variables = { '--color-background-primary': 'light-dark(rgb(250, 240, 230), rgb(1, 2, 3))' };
    const context = { theme: 'dark', styles: { variables } };
    const { appFrame, send } = await chat('demo/memory', 'open_nodes', payments, { context });
    const ground = () => appFrame.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(1, 2, 3)');
    await send('ui/notifications/host-context-changed', { theme: 'light' });
    await expect.poll(ground).toBe('rgb(250, 240, 230)');
  });

  test('reports its size, and again when it changes', async () => {
    const { page, app, heard } = await chat('demo/memory', 'open_nodes', payments);
    const heights = async () =>
      (await heard())
        .filter(({ method }) => method === 'ui/notifications/size-changed')
        .map(({ params }) => Number(params['height']));
    await app.getByText('Talks to Stripe').waitFor();
    await app.getByRole('button', { name: 'payment-service' }).click();
    await app.getByRole('heading', { name: 'Relations' }).waitFor();
    await expect.poll(async () => (await heights()).at(-1)).toBeGreaterThan(400);
    const [last] = (await heights()).slice(-1);
    expect(await heights()).not.toHaveLength(1);
    // The host gives it that room, so nothing has to be scrolled, and the size stays.
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.height).toBeGreaterThan(400);
    expect((await heights()).at(-1)).toBe(last);
  });

  test('answers the host, and fills the screen where the host can', async () => {
    const context = { availableDisplayModes: ['inline', 'fullscreen'], displayMode: 'inline' };
    const { page, app, heard } = await chat('demo/memory', 'open_nodes', payments, { context });
    await app.getByRole('button', { name: 'Full screen' }).click();
    await app.getByRole('button', { name: 'Full screen' }).waitFor({ state: 'detached' });
    for (const method of ['ping', 'ui/resource-teardown', 'ui/unknown'])
      await page.evaluate(
        `window.sendToPage({ id: ${JSON.stringify(method)}, method: '${method}', params: {} })`,
      );
    const answers = async () => (await heard()).filter((message) => 'id' in message && !message.method);
    await expect.poll(answers).toMatchObject([
      { id: 'ping', result: {} },
      { id: 'ui/resource-teardown', result: {} },
      { id: 'ui/unknown', error: { code: -32_601 } },
    ]);
  });

  const calls = [
    ['memory', 'read_graph', {}],
    ['mesh', 'search_nodes', { query: 'payment' }],
    ['workspace', 'search_nodes', { query: 'payment' }],
    ['workspace', 'get_neighborhood', { name: 'payment-service' }],
  ] as const;
  test.each(calls)('%s %s: search, open, correct, add, delete', async (surface, tool, args) => {
    const name = `${surface} ${tool}`;
    await at.remember(name, 'The sky is green', 'Second fact');
    const { app, heard } = await chat(`demo/${surface}`, tool, args);
    await app.getByRole('button', { name: 'payment-service' }).first().waitFor();
    await app.getByRole('searchbox').fill(`sky ${surface === 'mesh' ? '' : 'green'}`.trim());
    await app.getByRole('searchbox').press('Enter');
    await app.getByRole('button', { name, exact: true }).click();
    await app.getByRole('heading', { name }).waitFor();
    await app.getByRole('button', { name: 'Correct “The sky is green”' }).click();
    await app.getByRole('textbox', { name: 'Observation' }).fill('The sky is blue');
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByText('The sky is blue').waitFor();
    expect(await app.getByText('The sky is green').count()).toBe(0);
    expect(await factsOf(name)).not.toContain('green');
    await app.getByRole('button', { name: 'Add observation' }).click();
    await app.getByRole('textbox', { name: 'New observation' }).fill('Third fact');
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByText('Third fact').waitFor();
    await app.getByRole('button', { name: 'Delete “Second fact”' }).click();
    await app.getByText('Second fact').waitFor({ state: 'detached' });
    const facts = await factsOf(name);
    expect(facts).toContain('Third fact');
    expect(facts).not.toContain('Second fact');
    const told = (await heard()).filter(({ method }) => method === 'ui/update-model-context');
    expect(JSON.stringify(told[0]?.params)).toContain('The sky is blue');
    await app.getByRole('button', { name: 'Back' }).click();
    await app.getByRole('button', { name: 'Back' }).click();
    await app.getByRole('button', { name: 'payment-service' }).first().waitFor();
  });

  test('relations and the picture lead to other nodes', async () => {
    const { app } = await chat('demo/workspace', 'open_nodes', payments);
    await app.getByRole('button', { name: 'payment-service' }).click();
    await app.getByRole('button', { name: 'Stripe', exact: true }).first().press('Enter');
    await app.getByRole('heading', { name: 'Stripe' }).waitFor();
    await app.getByRole('listitem').getByRole('button', { name: 'payment-service' }).click();
    await app.getByRole('heading', { name: 'payment-service' }).waitFor();
  });

  test('a hub and a long list are shown in parts', async () => {
    const relations = Array.from({ length: 500 }, (_, index) => ({
      ...{ from: 'Hub', to: `Spoke ${index}`, relationType: 'has' },
    }));
    await at.remember('Hub', 'Has many relations');
    await withClient(`${at.server.url}/graphs/demo/memory/mcp`, (client) =>
      client.callTool({ name: 'create_relations', arguments: { relations } }),
    );
    const { app } = await chat('demo/memory', 'read_graph', { limit: 4 });
    await app.getByRole('heading', { name: '4 nodes' }).waitFor();
    await app.getByRole('button', { name: 'Load more' }).click();
    await app.getByRole('heading', { name: '8 nodes' }).waitFor();
    await app.getByRole('searchbox').fill('many relations');
    await app.getByRole('searchbox').press('Enter');
    await app.getByRole('button', { name: 'Hub', exact: true }).click();
    await app.getByText('and 460 more').waitFor();
    expect(await app.locator('circle').count()).toBe(41);
    await app.getByRole('listitem').getByRole('button', { name: 'Spoke 7', exact: true }).click();
    await app.getByRole('alert').getByText('There is no node named "Spoke 7"').waitFor();
  });

  test('what changed meanwhile is not overwritten', async () => {
    await at.remember('Contested', 'Before');
    const { app } = await chat('demo/workspace', 'open_nodes', { names: ['Contested'] });
    await app.getByRole('button', { name: 'Contested' }).click();
    await app.getByRole('button', { name: 'Correct “Before”' }).click();
    const change = { entity_name: 'Contested', ordinal: 1, new_content: 'Theirs' };
    await withClient(`${at.server.url}/graphs/demo/workspace/mcp`, (client) =>
      client.callTool({ name: 'replace_observation', arguments: change }),
    );
    await app.getByRole('textbox', { name: 'Observation' }).fill('Mine');
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByText('It now says: Theirs').waitFor();
    expect(await factsOf('Contested')).toContain('Theirs');
    await app.getByRole('button', { name: 'Save mine anyway' }).click();
    await expect.poll(() => factsOf('Contested')).toContain('Mine');
  });

  test('where the host lets the page call no tools, it only shows', async () => {
    const { app } = await chat('demo/memory', 'open_nodes', payments, { capabilities: {} });
    await app.getByRole('button', { name: 'payment-service' }).click();
    await app.getByRole('heading', { name: 'Observations' }).waitFor();
    expect(await app.getByRole('searchbox').count()).toBe(0);
    expect(await app.getByRole('button', { name: /^(Correct|Delete|Add)/ }).count()).toBe(0);
  });

  test('a preview of a merge shows the conflict; once a side is chosen, it merges', async () => {
    const args = { source: 'review/harbor-2', target: 'main', dry_run: true };
    const { app, appFrame } = await chat('demo/graph', 'branches_merge', args);
    await app.getByRole('heading', { name: 'Merge review/harbor-2 into main' }).waitFor();
    await app.getByText('One conflict').waitFor();
    await app.getByRole('button', { name: 'Show changes' }).click();
    await app.getByRole('heading', { name: 'Changed payment-service' }).waitFor();
    expect(await app.getByRole('link').count()).toBe(0);
    await expectAccessible(appFrame);
    expect(await app.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true);
    await app.getByRole('radio', { name: 'review/harbor-2' }).check();
    await app.getByRole('button', { name: 'Merge', exact: true }).click();
    await app.getByText('Merged.').waitFor();
    const again = await chat('demo/graph', 'branches_merge', args);
    await again.app.getByText('There is nothing to merge.').waitFor();
  });

  test('rows of a query are a table, and the query can be changed', async () => {
    await at.call('POST', '/graphs', { name: 'typed' });
    const schema = 'node Person { name: String @key\n age: I32? }';
    await at.call('POST', '/graphs/typed/schema/apply', { schema });
    const insert = 'query i() { insert Person { name: "Ada", age: 36 } insert Person { name: "<b>Bo" } }';
    await at.call('POST', '/graphs/typed/mutate', { source: insert });
    const source = 'query q() { match { $p: Person } return { $p.name, $p.age as age } order { $p.name } }';
    const { app, appFrame } = await chat('typed/graph', 'query', { source });
    await app.getByRole('heading', { name: '2 rows' }).waitFor();
    await app.getByRole('columnheader', { name: 'age' }).waitFor();
    await app.getByRole('cell', { name: '<b>Bo' }).waitFor();
    await app.getByText('Query', { exact: true }).click();
    await expectAccessible(appFrame);
    await app
      .getByRole('textbox', { name: 'Query' })
      .fill(source.replace('$p: Person', '$p: Person { name: "Ada" }'));
    await app.getByRole('button', { name: 'Run' }).click();
    await app.getByRole('heading', { name: 'One row' }).waitFor();
    await app.getByText('Query', { exact: true }).click();
    await app.getByRole('textbox', { name: 'Query' }).fill('nonsense');
    await app.getByRole('button', { name: 'Run' }).click();
    await app
      .getByRole('alert')
      .getByText(/Refused: .*line 1/)
      .waitFor();
  });

  test('a node among the rows opens, and its properties can be corrected', async () => {
    await at.call('POST', '/graphs', { name: 'dishes' });
    const schema = 'node Dish { slug: String @key\n name: String\n minutes: I32\n labels: [String]? }';
    await at.call('POST', '/graphs/dishes/schema/apply', { schema });
    // The name of one is the key of the other.
    const insert = `query i() {
      insert Dish { slug: "soup", name: "soup", minutes: 20, labels: ["warm"] }
      insert Dish { slug: "other", name: "soup", minutes: 20 }
    }`;
    await at.call('POST', '/graphs/dishes/mutate', { source: insert });
    const source = 'query q() { match { $d: Dish { slug: "soup" } } return { $d, $d.minutes } }';
    const { app, appFrame, heard } = await chat('dishes/graph', 'query', { source });
    const dishes = async () => {
      const all =
        'query q() { match { $d: Dish } return { $d.slug, $d.name, $d.minutes } order { $d.slug } }';
      return JSON.stringify(await at.call('POST', '/graphs/dishes/query', { source: all }));
    };
    await app.getByRole('button', { name: 'soup', exact: true }).click();
    await app.getByRole('heading', { name: 'soup Dish' }).waitFor();
    // Neither the key nor a list.
    expect(await app.getByRole('button', { name: /^Correct/ }).allTextContents()).toHaveLength(1);
    await app.getByText('The key, lists, observations').waitFor();
    await expectAccessible(appFrame);
    await app.getByRole('button', { name: 'Correct minutes' }).click();
    await app.getByRole('textbox', { name: 'minutes' }).fill('soon');
    await app.getByText('Write a number.').waitFor();
    await app.getByRole('textbox', { name: 'minutes' }).fill('25');
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByRole('button', { name: 'Correct minutes' }).waitFor();
    expect(await dishes()).toContain('"d.slug":"soup","d.name":"soup","d.minutes":25');
    expect(await dishes()).toContain('"d.slug":"other","d.name":"soup","d.minutes":20');
    const told = (await heard()).filter(({ method }) => method === 'ui/update-model-context');
    expect(JSON.stringify(told[0]?.params)).toContain('20 is now 25');
    // Somebody else is faster.
    await app.getByRole('button', { name: 'Correct minutes' }).click();
    await app.getByRole('textbox', { name: 'minutes' }).fill('30');
    const faster = 'query f() { update Dish set { minutes: 40 } where slug = "soup" }';
    await at.call('POST', '/graphs/dishes/mutate', { source: faster });
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByText('It now says: 40').waitFor();
    expect(await dishes()).toContain('"d.minutes":40');
    await app.getByRole('button', { name: 'Save mine anyway' }).click();
    await expect.poll(dishes).toContain('"d.minutes":30');
    await app.getByRole('button', { name: 'Back' }).click();
    await app.getByRole('heading', { name: 'One row' }).waitFor();
  });

  test('what arrives after the person went back does not take the place of what is visible', async () => {
    await at.call('POST', '/graphs/demo/edit', {
      operations: [{ op: 'add_node', name: 'Slow', type: 'slow type', props: { pace: 'slow' } }],
    });
    const source = 'query q() { match { $n: `slow type` } return { $n } }';
    const { page, app, heard } = await chat('demo/graph', 'query', { source });
    await page.evaluate(`{
      const callServer = window.callServer;
      const isReleased = new Promise((release) => { window.release = release; });
      window.callServer = async (call) => { await isReleased; return callServer(call); };
    }`);
    await app.getByRole('button', { name: 'Slow', exact: true }).click();
    await app.getByRole('heading', { name: 'Slow' }).waitFor();
    await app.getByRole('button', { name: 'Back' }).click();
    await app.getByRole('heading', { name: 'One row' }).waitFor();
    await page.evaluate('window.release()');
    await app.locator('main[aria-busy=false]').waitFor();
    expect(await app.getByRole('heading', { name: 'One row' }).count()).toBe(1);
    expect((await heard()).filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  test('a node without a schema opens too; texts are texts, and what cannot be corrected is said', async () => {
    const odd = 'say "hi"\\ \n$x } \u0007';
    const edits = [{ op: 'add_node', name: odd, type: 'odd type', props: { motto: `${odd}?`, 'a`b': 'x' } }];
    await at.call('POST', '/graphs/demo/edit', { operations: edits });
    const { app } = await chat('demo/graph', 'query', {
      source: 'query q() { match { $n: `odd type` } return { $n, $n as m } }',
    });
    await app.getByRole('button').first().click();
    await app.getByRole('button', { name: 'Correct motto' }).click();
    expect(await app.getByRole('button', { name: 'Correct a`b' }).count()).toBe(0);
    await app.getByRole('textbox', { name: 'motto' }).fill(`${odd}!`);
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByRole('button', { name: 'Correct motto' }).waitFor();
    const { node } = Object(
      await at.call('GET', `/graphs/demo/nodes/${encodeURIComponent(odd)}?type=odd%20type`),
    );
    expect(node.props.motto).toBe(`${odd}!`);
    await app.getByRole('button', { name: 'Back' }).click();
    await app.getByRole('row').last().getByRole('button').last().click();
    await app.getByText('run a query that names its type').waitFor();
    expect(await app.getByRole('button', { name: /^Correct/ }).count()).toBe(0);
  });

  test('hostile names change nothing', async () => {
    const attack = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script></script>';
    const texts = [attack, 'W'.repeat(10_000), '👩‍👩‍👧‍👦 abc\u202Egnp.exe', 'bell\u0007'];
    await at.remember(attack, ...texts);
    const { app, appFrame } = await chat('demo/memory', 'search_nodes', { query: 'onerror' });
    const width = () => appFrame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await app.getByRole('button', { name: attack }).waitFor();
    expect(await width()).toBe(0);
    await app.getByRole('button', { name: attack }).click();
    await app.getByText('abc⟨U+202E⟩gnp.exe').waitFor();
    await app.getByText('bell⟨U+0007⟩').waitFor();
    expect(await width()).toBe(0);
    expect(await appFrame.evaluate(() => 'attacked' in window)).toBe(false);
    expect(await app.locator('main img, main script').count()).toBe(0);
    await expectAccessible(appFrame);
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (theme) => {
    const names = ['payment-service', 'booking-api', 'Harbor', 'Stripe'];
    const { app, appFrame } = await chat('demo/memory', 'open_nodes', { names }, { context: { theme } });
    await expectAccessible(appFrame);
    await app.getByRole('button', { name: 'Graph', exact: true }).click();
    await expectAccessible(appFrame);
    await app.getByRole('button', { name: 'payment-service' }).click();
    await app.getByRole('heading', { name: 'Relations' }).waitFor();
    await app
      .getByRole('button', { name: /^Correct/ })
      .first()
      .click();
    await expectAccessible(appFrame);
  });
});

const folder = await scratchFolder();
const token = 'a-token-that-is-long-enough-for-a-reader';
const policy = `version: 1
rules:
  - { id: reads, allow: { actors: { actor: reader }, actions: [read], graphs: [demo] } }
`;
await writeFile(join(folder, 'tokens.json'), JSON.stringify({ reader: token }), { mode: 0o600 });
await writeFile(join(folder, 'policy.yaml'), policy);

describeInBrowser('the explorer in the chat of somebody who may only read', () => {
  const access = {
    tokens: { file: join(folder, 'tokens.json') },
    policy: { server: { file: join(folder, 'policy.yaml') } },
  };
  const prepare = (store: Store) =>
    new Graph(store, 'demo').write({ actor: 'ada', tool: 'test' }, (tx) =>
      editGraph(tx, [{ op: 'add_node', node: { name: 'Door', type: 'thing', props: { colour: 'red' } } }]),
    );
  const settings = () => ({ allowAdhoc: true });
  const chat = chatHost(explorer({ access, prepare, settings }));

  test.each(eras)(
    'shows and searches, but what the policy denies is refused, protocol of $era',
    async (era) => {
      const { app } = await chat('demo/memory', 'open_nodes', payments, { era, token });
      await app.getByRole('button', { name: 'payment-service' }).click();
      await app.getByRole('button', { name: 'Delete “Talks to Stripe”' }).click();
      await app.getByRole('alert').getByText('Refused: unknown tool "delete_observations"').waitFor();
      await app.getByRole('button', { name: 'Correct “Talks to Stripe”' }).click();
      await app.getByRole('textbox', { name: 'Observation' }).fill('Talks to nobody');
      await app.getByRole('button', { name: 'Save' }).click();
      await app.getByRole('alert').getByText('Refused: unknown tool "add_observations"').waitFor();
      await app.getByRole('button', { name: 'Cancel' }).click();
      await app.getByRole('searchbox').fill('Stripe');
      await app.getByRole('button', { name: 'Search' }).click();
      await app.getByRole('button', { name: 'Stripe', exact: true }).waitFor();
      expect(await app.getByText('Talks to nobody').count()).toBe(0);
    },
  );

  test('a query shows a node, and correcting it is refused', async () => {
    const source = 'query q() { match { $t: `thing` } return { $t } }';
    const { app } = await chat('demo/graph', 'query', { source }, { token });
    await app.getByRole('cell').getByRole('button', { name: 'Door' }).click();
    await app.getByRole('button', { name: 'Correct colour' }).click();
    await app.getByRole('textbox', { name: 'colour' }).fill('green');
    await app.getByRole('button', { name: 'Save' }).click();
    await app.getByRole('alert').getByText('Refused: unknown tool "mutate"').waitFor();
  });
});

async function expectAccessible(frame: Chat['appFrame']): Promise<void> {
  await frame.evaluate(axe);
  const results = await frame.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
  const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)])).toEqual([]);
}
