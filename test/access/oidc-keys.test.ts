import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchJson } from '../../src/access/oidc/fetch-json.js';
import { type OidcOptions, oidcAuthenticator } from '../../src/access/oidc/oidc-authenticator.js';
import { checkOidcSettings, type OidcSettings } from '../../src/access/oidc/oidc-settings.js';
import { goodClaims, Issuer, signed, signingKey } from './issuer.js';
import { collectWarnings, useFolder } from './scratch.js';

const wall = Date.parse('2026-06-01T12:00:00Z');
const first = await signingKey('first', 'ES256');
const second = await signingKey('second', 'ES256');
const path = useFolder();

let issuer: Issuer;
/** Milliseconds since the test began; caches go by it. */
let time: number;
beforeEach(async () => {
  time = 0;
  issuer = await Issuer.start([first]);
});
afterEach(() => issuer.close());

function open(settings: Partial<OidcSettings> = {}, options: Partial<OidcOptions> = {}) {
  return oidcAuthenticator(
    { issuer: issuer.url, audience: 'trellis', ...settings },
    { warn: () => {}, clock: () => wall, now: () => time, ...options },
  );
}
const token = (key = first) => signed(key, goodClaims(issuer.url, wall));

describe('trust 24: several audiences', () => {
  const audience = ['https://memory.example', 'trellis'];
  const tokenFor = (aud: string | string[]) => signed(first, { ...goodClaims(issuer.url, wall), aud });

  test('let in a token for any of them, and for nobody else', async () => {
    const oidc = await open({ audience });
    for (const aud of ['trellis', 'https://memory.example', ['other', 'trellis']])
      expect((await oidc.authenticate(await tokenFor(aud))).id).toBe('ann');
    for (const aud of ['other', ['other', 'trellis2'], []])
      await expect(oidc.authenticate(await tokenFor(aud))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

test('trust 24: the scopes of a token are those of the claim scope or scp', async () => {
  const oidc = await open();
  const scopesOf = async (claims: object) =>
    (await oidc.authenticate(await signed(first, { ...goodClaims(issuer.url, wall), ...claims }))).scopes;
  expect(await scopesOf({ scope: 'memory.read  memory.write' })).toEqual(['memory.read', 'memory.write']);
  expect(await scopesOf({ scope: undefined, scp: ['memory.read'] })).toEqual(['memory.read']);
  for (const claims of [{ scope: 'a\u0000b' }, { sub: 'a\u0000b' }, { groups: ['a\u0000b'] }])
    await expect(scopesOf(claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

describe('keys', () => {
  test('are found through the issuer, or at a given address, and fetched once for many tokens', async () => {
    for (const settings of [{}, { jwksUri: `${issuer.url}/keys` }]) {
      issuer.asked = 0;
      const oidc = await open(settings);
      const actors = await Promise.all(
        Array.from({ length: 20 }, async () => oidc.authenticate(await token())),
      );
      expect(new Set(actors.map(({ id }) => id))).toEqual(new Set(['ann']));
      expect(issuer.asked).toBe(1);
    }
  });

  test('that are new are fetched when a token names them', async () => {
    const oidc = await open();
    await oidc.authenticate(await token());
    issuer.keys = [first.jwk, second.jwk];
    time += 30_000;
    expect((await oidc.authenticate(await token(second))).id).toBe('ann');
    expect(issuer.asked).toBe(2);
  });

  test('that do not exist make us ask at most once in a while', async () => {
    const oidc = await open();
    await oidc.authenticate(await token());
    time += 30_000;
    for (let i = 0; i < 10; i += 1)
      await expect(oidc.authenticate(await token(second))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(issuer.asked).toBe(2);
    time += 30_000;
    await expect(oidc.authenticate(await token(second))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(issuer.asked).toBe(3);
  });

  test('that the issuer withdraws are no longer good once their age is over', async () => {
    const oidc = await open({}, { maxAgeMs: 1_000, pauseMs: 0 });
    await oidc.authenticate(await token());
    issuer.keys = [second.jwk];
    time += 1_001;
    // This one may still pass: it starts the fetch and does not wait for it.
    await oidc.authenticate(await token()).catch(() => {});
    await expect
      .poll(async () =>
        oidc.authenticate(await token()).then(
          ({ id }) => id,
          ({ code }) => code,
        ),
      )
      .toBe('UNAUTHENTICATED');
  });

  test('stay in use while the provider is down, however old they are', async () => {
    const { warn, said } = collectWarnings();
    const oidc = await open({}, { warn });
    await oidc.authenticate(await token());
    await issuer.close();
    time += 10 * 86_400_000;
    expect((await oidc.authenticate(await token())).id).toBe('ann');
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toMatch(/cannot be fetched: .*stay in use/);
    expect((await oidc.authenticate(await token())).id).toBe('ann');
    await expect(oidc.authenticate(await token(second))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('that were never had are an error of ours, not of the client, and are fetched when the provider is back', async () => {
    const oidc = await open();
    issuer.answer = (_, response) => {
      response.statusCode = 500;
      response.end();
      return true;
    };
    await expect(oidc.authenticate(await token())).rejects.toMatchObject({
      code: 'IDENTITY_PROVIDER_UNAVAILABLE',
      message: 'Tokens cannot be checked at the moment.',
    });
    issuer.answer = undefined;
    time += 30_000;
    expect((await oidc.authenticate(await token())).id).toBe('ann');
  });

  test('from a file are read again when it changes', async () => {
    const { warn, said } = collectWarnings();
    await writeFile(path('keys.json'), JSON.stringify({ keys: [first.jwk] }));
    const oidc = await open({ jwksFile: path('keys.json') }, { warn });
    expect((await oidc.authenticate(await token())).id).toBe('ann');
    await writeFile(path('keys.json'), 'broken');
    time += 1_000;
    expect((await oidc.authenticate(await token())).id).toBe('ann');
    expect(said).toHaveLength(1);
    await writeFile(path('keys.json'), JSON.stringify({ keys: [second.jwk] }));
    time += 1_000;
    await expect(oidc.authenticate(await token())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await oidc.authenticate(await token(second))).id).toBe('ann');
    expect(issuer.asked).toBe(0);
  });
});

describe('a provider that misbehaves gives no keys', () => {
  const unavailable = async (settings: Partial<OidcSettings> = {}) => {
    const { warn, said } = collectWarnings();
    const oidc = await open(settings, { warn });
    await expect(oidc.authenticate(await token())).rejects.toMatchObject({
      code: 'IDENTITY_PROVIDER_UNAVAILABLE',
    });
    return said.join('\n');
  };

  test('a redirect is not followed', async () => {
    const elsewhere = await Issuer.start([first]);
    issuer.answer = (request, response) => {
      if (request.url !== '/keys') return false;
      response.writeHead(302, { location: `${elsewhere.url}/keys` }).end();
      return true;
    };
    await unavailable();
    expect(elsewhere.asked).toBe(0);
    await elsewhere.close();
  });

  test.each([
    ['that never comes', () => {}],
    ['that begins and does not end', (response: ServerResponse) => response.write('{"keys":')],
  ])('an answer %s is not waited for', async (_, begin) => {
    issuer.answer = (_request, response) => {
      begin(response);
      return true;
    };
    await expect(fetchJson(new URL(`${issuer.url}/keys`), { patienceMs: 50 })).rejects.toThrow(/timeout/);
  });

  test('an endless answer is cut off', async () => {
    issuer.answer = (request, response) => {
      if (request.url !== '/keys') return false;
      const chunk = Buffer.alloc(65_536, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
      return true;
    };
    expect(await unavailable()).toContain('more than 1048576 bytes');
  });

  test.each([
    [
      'another issuer in the discovery document',
      { issuer: 'https://evil.example', jwks_uri: 'https://evil.example/k' },
      'another issuer',
    ],
    ['keys over plain HTTP elsewhere', { jwks_uri: 'http://evil.example/keys' }, 'not reached over HTTPS'],
    ['keys at a file', { jwks_uri: 'file:///etc/passwd' }, 'not reached over HTTPS'],
    ['no address of keys', {}, 'has no jwks_uri'],
    ['a list', [], 'another issuer'],
  ])('%s', async (_, document, reason) => {
    issuer.answer = (request, response) => {
      if (request.url === '/keys') return false;
      response.end(JSON.stringify(Array.isArray(document) ? document : { issuer: issuer.url, ...document }));
      return true;
    };
    expect(await unavailable()).toContain(reason);
  });

  test.each([
    ['no JSON', 'nope'],
    ['no keys', '{}'],
    ['keys that are none', '{"keys":[1]}'],
  ])('keys with %s', async (_, body) => {
    issuer.answer = (request, response) => {
      if (request.url !== '/keys') return false;
      response.end(body);
      return true;
    };
    await unavailable();
  });
});

test('claims can have other names', async () => {
  const oidc = await open({ actorClaim: 'email', groupsClaim: 'roles', tenantClaim: 'tid' });
  const claims = { ...goodClaims(issuer.url, wall), email: 'ann@example.com', roles: 'reader', tid: 'acme' };
  expect(await oidc.authenticate(await signed(first, claims))).toMatchObject({
    id: 'ann@example.com',
    groups: ['reader'],
    tenant: 'acme',
  });
  await expect(oidc.authenticate(await token())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a narrower list of algorithms refuses the others', async () => {
  const oidc = await open({ algorithms: ['RS256'] });
  await expect(oidc.authenticate(await token())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test.each([
  ['plain HTTP elsewhere', { issuer: 'http://issuer.example' }, 'not reached over HTTPS'],
  [
    'a host that only begins like this machine',
    { issuer: 'http://127.0.0.1.evil.example' },
    'not reached over HTTPS',
  ],
  ['no address', { issuer: 'issuer' }, 'is not a URL'],
  ['a password in the address', { issuer: 'https://a:b@issuer.example' }, 'a user name or a password'],
  ['no audience', { audience: '' }, 'The audience is empty'],
  ['an empty list of audiences', { audience: [] }, 'The audience is empty'],
  ['an empty audience among others', { audience: ['a', ''] }, 'The audience is empty'],
  ['a symmetric algorithm', { algorithms: ['RS256', 'HS256'] }, 'The algorithm HS256 cannot be allowed'],
  ['no algorithm at all', { algorithms: ['none'] }, 'The algorithm none cannot be allowed'],
  ['an empty list of algorithms', { algorithms: [] }, 'No algorithm is allowed'],
  ['keys from two places', { jwksUri: 'https://i/k', jwksFile: 'k.json' }, 'both given'],
  ['an empty client', { clientId: '' }, 'client_id is empty'],
  ['scopes without a client', { scopes: ['profile'] }, 'scopes are given without client_id'],
  ['two scopes in one', { clientId: 'c', scopes: ['a b'] }, '"a b" is not a scope'],
  ['an endless skew', { clockSkewSeconds: 86_400 }, 'cannot be right'],
])('settings with %s are refused', (_, settings, message) => {
  expect(() => checkOidcSettings({ issuer: 'https://i', audience: 'a', ...settings })).toThrow(message);
});
