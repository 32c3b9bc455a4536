import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { axe } from './axe.js';
import { describeInBrowser, explorer } from './explorer.js';
import { IdentityProvider } from './identity-provider.js';

const folder = await mkdtemp(join(tmpdir(), 'trellis-sign-in-'));
await writeFile(
  join(folder, 'policy.yaml'),
  'version: 1\nrules: [{ id: ann, allow: { actors: { actor: ann }, actions: [read, change, graph_list] } }]\n',
);
const provider = await IdentityProvider.start();
afterAll(async () => {
  await provider.close();
  await rm(folder, { recursive: true });
});

describeInBrowser('signing in at an identity provider', () => {
  const { issuer, audience, clientId } = provider;
  /** How far the clock of the server is ahead. */
  let hours = 0;
  const at = explorer({
    access: {
      // The audience of access tokens, and that of id tokens.
      oidc: { issuer, audience: [audience, clientId], clientId, scopes: ['memory'], clockSkewSeconds: 0 },
      policy: { server: { file: join(folder, 'policy.yaml') } },
    },
    visits: [issuer],
    clock: () => Date.now() + hours * 3_600_000,
  });
  const node = '#/demo/node/service/payment-service?branch=review%2Fharbor-2';
  const heading = (page: Page) => page.getByRole('heading', { name: 'payment-service', level: 1 });
  const leave = (page: Page) => page.getByRole('button', { name: 'Sign in with localhost' }).click();
  const logIn = (page: Page) => page.getByRole('link', { name: 'Log in as Ann' }).click();

  beforeAll(() => provider.register(`${at.server.url}/`));
  afterEach(() => {
    provider.intercept = undefined;
    provider.issuesForServer = true;
  });

  test('leads back to the same address, with a token for the tab, until one signs out', async () => {
    const page = await at.open(node);
    await leave(page);
    await logIn(page);
    await heading(page).waitFor();
    expect(page.url()).toBe(`${at.server.url}/${node}`);
    await page.getByText('ann', { exact: true }).waitFor();
    await page.reload();
    await heading(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${at.server.url}/${node}`);
    await other.getByLabel('Token').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('trellis.token'))).toBeNull();
    // The provider knows Ann still, but asks again.
    await leave(page);
    await logIn(page);
    await heading(page).waitFor();
    // Whoever is known to the provider need not log in there twice.
    await leave(other);
    await heading(other).waitFor();
  });

  test('uses the id token where the access token is not for this server, if its audience is allowed', async () => {
    provider.issuesForServer = false;
    const page = await at.open(node);
    await leave(page);
    await logIn(page);
    await heading(page).waitFor();
    const token = await page.evaluate(() => sessionStorage.getItem('trellis.token') ?? '');
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ aud: clientId, sub: 'ann' });
  });

  test.each(['light', 'dark'] as const)(
    'cancelled there, it says so and can be repeated, %s',
    async (colorScheme) => {
      const page = await at.open(node, { colorScheme });
      await leave(page);
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('alert').getByText('The sign-in was cancelled').waitFor();
      await page.getByRole('button', { name: 'Sign in with localhost' }).waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(page.url()).toBe(`${at.server.url}/${node}`);
      await leave(page);
      await logIn(page);
      await heading(page).waitFor();
    },
  );

  test('with a token that expires, one signs in again and goes on where one was', async () => {
    const page = await at.open(node);
    await leave(page);
    await logIn(page);
    await heading(page).waitFor();
    hours = 2;
    await page.getByRole('alert').getByText('Your sign-in has expired').waitFor();
    hours = 0;
    await leave(page);
    await heading(page).waitFor();
    expect(page.url()).toBe(`${at.server.url}/${node}`);
  });

  test.each([
    ['of another tab', '?code=abc&state=invented'],
    ['that is an error of another tab', '?error=access_denied&state=invented&error_description=Call+us'],
    ['without a state', '?code=abc'],
  ])('an answer %s is refused', async (_, answer) => {
    const page = await at.open(`${answer}#/demo/inbox`);
    const alert = page.getByRole('alert');
    await alert.getByText('This sign-in was not started in this tab').waitFor();
    expect(page.url()).not.toContain('?');
    expect(await alert.textContent()).not.toContain('Call us');
    await leave(page);
    await logIn(page);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  test('an answer that comes twice is refused, and whoever is signed in stays so', async () => {
    const page = await at.open(node);
    let answer = '';
    page.on('request', (request) => {
      if (request.url().includes('code=') && request.url().startsWith(at.server.url)) answer = request.url();
    });
    await leave(page);
    await logIn(page);
    await heading(page).waitFor();
    await page.goto(answer);
    await page.getByText('This sign-in was not started in this tab').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(`${at.server.url}/${node}`);
    await heading(page).waitFor();
  });

  test('a code that somebody else used first is refused, and one can sign in again', async () => {
    const page = await at.open(node);
    await page.route(/sign-in$/, async (route) => {
      if (route.request().method() === 'POST') expect((await route.fetch()).status()).toBe(200);
      await route.continue();
    });
    await leave(page);
    await logIn(page);
    await page.getByRole('alert').getByText('This sign-in is over: it was used already').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.unroute(/sign-in$/);
    await leave(page);
    await heading(page).waitFor();
  });

  test('an answer of another issuer is refused', async () => {
    provider.intercept = (_, response) => {
      const set = response.setHeader.bind(response);
      response.setHeader = (name, value) =>
        set(
          name,
          typeof value === 'string' ? value.replace(/\biss=[^&]*/, 'iss=https://evil.example') : value,
        );
      return false;
    };
    const page = await at.open(node);
    await leave(page);
    await logIn(page);
    await page.getByRole('alert').getByText('Another identity provider answered').waitFor();
  });

  test('what the page sends to the provider has a challenge, and values that are new each time', async () => {
    const page = await at.open(node);
    const asked: URLSearchParams[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/auth') asked.push(url.searchParams);
    });
    for (let i = 0; i < 2; i += 1) {
      await leave(page);
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('alert').waitFor();
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = asked.map((one) => one.get(name));
      expect(values).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)]);
      expect(new Set(values).size).toBe(2);
    }
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${at.server.url}/`,
      scope: 'openid memory',
      code_challenge_method: 'S256',
    });
  });

  test('while the provider cannot be reached, the code is not lost silently', async () => {
    const page = await at.open(node);
    await leave(page);
    provider.intercept = ({ url }, response) => {
      if (url !== '/token') return false;
      response.writeHead(502).end();
      return true;
    };
    await logIn(page);
    await page.getByRole('alert').getByText('Signing in is not possible at the moment').waitFor();
  });

  test('where the provider comes back to another address, the page leads there', async () => {
    const page = await at.open('#/demo/inbox');
    await page.route(/sign-in$/, async (route) => {
      const { provider: described } = await (await route.fetch()).json();
      const redirect_uri = 'https://memory.example.com/';
      await route.fulfill({ json: { provider: { ...described, redirect_uri } } });
    });
    await page.goto(`${at.server.url}/${node}`);
    await page.reload();
    const link = page.getByRole('link', { name: 'https://memory.example.com/' });
    expect(await link.getAttribute('href')).toBe(`https://memory.example.com/${node}`);
  });
});
