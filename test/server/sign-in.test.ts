import { request as httpRequest, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OidcSettings } from '../../src/access/oidc/oidc-settings.js';
import { openAccessControl } from '../../src/access/open-access-control.js';
import type { HttpOptions } from '../../src/server/http/http-options.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { goodClaims, Issuer, signed, signingKey } from '../access/issuer.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';

const key = await signingKey('one');
const stranger = await signingKey('one');
const code = 'the-code-of-the-provider';
const verifier = 'v'.repeat(43);
const nonce = 'n'.repeat(43);
const body = { code, code_verifier: verifier, nonce };

let scratch: Scratch;
let issuer: Issuer;
let server: HttpServer | undefined;
/** The description of the issuer beyond what is always in it, and how often it was asked for. */
let metadata: object;
let described: number;
/** What the token endpoint got, and how it answers. */
let forms: string[];
let answerToken: (response: ServerResponse) => unknown;
let logged: unknown[];

beforeEach(async () => {
  scratch = await scratchStore(sqlite);
  issuer = await Issuer.start([key]);
  described = 0;
  forms = [];
  logged = [];
  metadata = { authorization_endpoint: `${issuer.url}/authorize`, token_endpoint: `${issuer.url}/token` };
  answerToken = async (response) => json(response, await tokens());
  issuer.answer = (request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      described += 1;
      json(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...metadata });
      return true;
    }
    if (request.url !== '/token') return false;
    let form = '';
    request.on('data', (chunk) => {
      form += chunk;
    });
    request.on('end', () => {
      forms.push(form);
      answerToken(response);
    });
    return true;
  };
});
afterEach(async () => {
  await server?.close();
  await issuer.close();
  await scratch.dispose();
});

function json(response: ServerResponse, content: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}

const token = (claims: object = {}, by = key) =>
  signed(by, { ...goodClaims(issuer.url, Date.now()), ...claims });

async function tokens(idClaims: object = {}, accessClaims: object = {}) {
  return {
    token_type: 'Bearer',
    access_token: await token({ jti: 'access', ...accessClaims }),
    id_token: await token({ aud: 'explorer', nonce, ...idClaims }),
  };
}

async function serve(oidc: Partial<OidcSettings> = {}, options: Partial<HttpOptions> = {}): Promise<void> {
  const access = await openAccessControl(
    { oidc: { issuer: issuer.url, audience: 'trellis', clientId: 'explorer', ...oidc } },
    { warn: (message) => logged.push(message) },
  );
  const note = (...line: unknown[]) => logged.push(line);
  server = await startHttpServer({
    ...{ store: scratch.store, port: 0, access, report: note },
    log: { debug: note, info: note, warn: note, error: note },
    ...options,
  });
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly path?: string;
}

/** By hand, because `fetch` sets Host and Origin itself. */
function send({ method = 'GET', headers = {}, body: given, path = '/sign-in' }: Sent = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: unknown }>(
    (resolve, reject) => {
      const outgoing = httpRequest(`${server?.url}${path}`, { method, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given));
    },
  );
}
const exchange = (headers: Readonly<Record<string, string>> = {}) => send({ method: 'POST', headers, body });

describe('where people sign in', () => {
  test('is the provider, with the address of the page by the name that the reader used', async () => {
    await serve({ scopes: ['profile', 'openid'] });
    const port = new URL(server?.url ?? '').port;
    expect((await send()).body).toEqual({
      provider: {
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        client_id: 'explorer',
        scope: 'openid profile',
        redirect_uri: `http://127.0.0.1:${port}/`,
      },
    });
    expect((await send({ headers: { Host: `localhost:${port}` } })).body).toMatchObject({
      provider: { redirect_uri: `http://localhost:${port}/` },
    });
    expect(described).toBe(1);
  });

  test('is the configured address whatever the request says, and never a strange host', async () => {
    await serve({}, { publicUrl: 'https://memory.example.com/trellis' });
    const headers = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
    expect((await send({ headers })).body).toMatchObject({
      provider: { redirect_uri: 'https://memory.example.com/trellis/' },
    });
    expect((await send({ headers: { Host: 'evil.example' } })).status).toBe(403);
  });

  test('is nowhere without a client, and nowhere without tokens', async () => {
    await serve({ clientId: undefined });
    expect((await send()).body).toEqual({});
    expect(await exchange()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    await server?.close();
    server = await startHttpServer({ store: scratch.store, port: 0 });
    expect((await send()).body).toEqual({});
    expect(described).toBe(0);
  });

  test.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['no authorization endpoint', { authorization_endpoint: undefined }],
    ['a script instead of an authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a token endpoint over plain HTTP elsewhere', { token_endpoint: 'http://evil.example/token' }],
    ['PKCE without S256', { code_challenge_methods_supported: ['plain'] }],
  ])('cannot be told if the description of the issuer has %s', async (_, wrong) => {
    metadata = { ...metadata, ...wrong };
    await serve();
    const refused = { status: 503, body: { error: { code: 'IDENTITY_PROVIDER_UNAVAILABLE' } } };
    expect(await send()).toMatchObject(refused);
    expect(await exchange()).toMatchObject(refused);
    expect(forms).toEqual([]);
    // It is not asked again at once.
    expect(described).toBe(1);
    expect(JSON.stringify(logged)).toContain('endpoints of the identity provider cannot be fetched');
  });
});

describe('a code', () => {
  test('is exchanged for the access token, with the verifier and the address of the page', async () => {
    await serve();
    const answer = await exchange({ Origin: server?.url ?? '' });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({ token: expect.stringContaining('.') });
    expect(Object.fromEntries(new URLSearchParams(forms[0]))).toEqual({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      client_id: 'explorer',
      redirect_uri: `${server?.url}/`,
    });
  });

  test('gives the id token if the server accepts its audience and not that of the access token', async () => {
    const given = { ...(await tokens()), access_token: 'opaque' };
    answerToken = (response) => json(response, given);
    await serve({ audience: ['trellis', 'explorer'] });
    expect((await exchange()).body).toEqual({ token: given.id_token });
  });

  const over = 'This sign-in is over: it was used already, or took too long.';
  const unaccepted = 'You signed in, but the identity provider issued no token that this server accepts.';
  test.each<[string, string, () => Promise<unknown> | unknown, number?]>([
    ['was used or has expired', over, () => ({ error: 'invalid_grant', error_description: code }), 400],
    [
      'is of an unknown client',
      'refused the sign-in: invalid_client.',
      () => ({ error: 'invalid_client' }),
      401,
    ],
    ['gets a strange error', 'refused the sign-in: an unknown error.', () => ({ error: `<b>${code}` }), 400],
    [
      'gives no id token',
      'does not say who signed in',
      async () => ({ ...(await tokens()), id_token: undefined }),
    ],
    ['gives no object', 'does not say who signed in', () => [1]],
    ['has the nonce of another sign-in', 'was not started here', () => tokens({ nonce: 'm'.repeat(43) })],
    ['has no nonce', 'was not started here', () => tokens({ nonce: undefined })],
    ['is for another client', 'invalid id token', () => tokens({ aud: 'other' })],
    ['is for another party', 'invalid id token', () => tokens({ aud: ['explorer', 'b'], azp: 'b' })],
    ['is of another issuer', 'invalid id token', () => tokens({ iss: 'https://evil.example' })],
    ['has expired', 'invalid id token', () => tokens({ iat: 1, exp: 2 })],
    [
      'is signed by somebody else',
      'invalid id token',
      async () => ({ ...(await tokens()), id_token: await token({ aud: 'explorer', nonce }, stranger) }),
    ],
    ['gives a token for another server', unaccepted, () => tokens({}, { aud: 'https://other.example' })],
    ['gives an opaque token', unaccepted, async () => ({ ...(await tokens()), access_token: 'opaque' })],
    ['gives a token without an actor', unaccepted, () => tokens({}, { sub: undefined })],
  ])('that %s is refused', async (_, message, answer, status = 200) => {
    answerToken = async (response) => json(response, await answer(), status);
    await serve();
    expect(await exchange()).toMatchObject({
      status: 403,
      body: { error: { code: 'SIGN_IN_FAILED', message: expect.stringContaining(message) } },
    });
    expect(JSON.stringify(logged)).toContain('sign-in failed');
  });

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['an error of the provider', (response) => response.writeHead(500).end(code)],
    ['a redirect', (response) => response.writeHead(302, { location: `${issuer.url}/keys` }).end()],
    ['what is not JSON', (response) => response.end(`access_token=${code}`)],
    ['a connection that breaks', (response) => response.destroy()],
  ])('that leads to %s can be tried later', async (_, answer) => {
    answerToken = answer;
    await serve();
    expect(await exchange()).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'IDENTITY_PROVIDER_UNAVAILABLE',
          message: 'Signing in is not possible at the moment.',
          hint: 'Try again in a minute.',
        },
      },
    });
  });

  test('and what it leads to never get into the log', async () => {
    const given = await tokens();
    const answers = [
      given,
      { error: 'invalid_grant', error_description: code },
      { ...given, id_token: code },
    ];
    await serve({ audience: 'nobody' });
    for (const answer of answers) {
      answerToken = (response) => json(response, answer);
      await exchange();
    }
    answerToken = (response) => response.end(`{"access_token":"${given.access_token}`);
    await exchange();
    expect(forms).toHaveLength(4);
    const log = JSON.stringify(logged, (_, value) =>
      value instanceof Error ? [value.message, value.stack, value.cause] : value,
    );
    expect(log).toContain('access_token: a JWT that fails: unexpected \\"aud\\" claim value; id_token:');
    for (const secret of [code, verifier, nonce, given.access_token, given.id_token])
      expect(log).not.toContain(secret);
  });

  test.each([
    ['no code', { ...body, code: undefined }],
    ['an empty code', { ...body, code: '' }],
    ['a code over several lines', { ...body, code: 'a\r\nb' }],
    ['a short verifier', { ...body, code_verifier: 'short' }],
    ['no nonce', { ...body, nonce: undefined }],
    ['an address of its own', { ...body, redirect_uri: 'https://evil.example/' }],
    ['a provider of its own', { ...body, issuer: 'https://evil.example' }],
    ['a list', [body]],
    ['no JSON', 'code=abc'],
  ])('is not sent anywhere with %s', async (_, wrong) => {
    await serve();
    expect(await send({ method: 'POST', body: wrong })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ARGUMENT' } },
    });
    expect(forms).toEqual([]);
  });

  test('is taken from the page of the server only', async () => {
    const page = 'https://app.example.com';
    await serve({}, { allowed: { hosts: [], origins: [page] } });
    for (const Origin of [page, 'http://localhost:3000', 'https://evil.example', 'null'])
      expect((await exchange({ Origin })).status, Origin).toBe(403);
    expect((await exchange({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await exchange({ Host: 'evil.example' })).status).toBe(403);
    expect(forms).toEqual([]);
  });
});

test('requests without a token are limited by the address they come from', async () => {
  await serve({}, { limits: { requestsPerMinute: 8 } });
  expect((await send()).status).toBe(200);
  expect((await exchange()).status).toBe(200);
  const refused = await exchange();
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'SERVER_BUSY' } } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(forms).toHaveLength(1);
});

test('signing in gives nobody a way into other routes', async () => {
  await serve();
  for (const path of ['/sign-in/x', '/graphs', '/metrics']) expect((await send({ path })).status).toBe(401);
  expect((await send({ method: 'DELETE' })).status).toBe(401);
  expect((await send({ path: '/sign-in?token=abc' })).status).toBe(400);
});
