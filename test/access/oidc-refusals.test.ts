import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { type CryptoKey, exportSPKI, importJWK, type JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Authenticator, authenticationFailureOf } from '../../src/access/authenticator.js';
import { bearerToken } from '../../src/access/bearer-token.js';
import { challenge } from '../../src/access/challenge.js';
import { oidcAuthenticator } from '../../src/access/oidc/oidc-authenticator.js';
import { goodClaims, Issuer, type SigningKey, signed, signingKey } from './issuer.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const seconds = now / 1000;

const key = await signingKey('key-1');
const elliptic = await signingKey('key-ec', 'ES256');
const edwards = await signingKey('key-ed', 'EdDSA');
const stranger = await signingKey('key-1');
const issuer = await Issuer.start([key, elliptic, edwards]);
const other = await Issuer.start([stranger]);
const publicPem = await exportSPKI(await publicKeyOf(key));

/** A server that does nothing but find out who asks, as real requests reach it. */
let oidc: Authenticator;
let address: { readonly port: number };
let close: () => Promise<void>;
const reached: string[] = [];
const reasons: string[] = [];

beforeAll(async () => {
  oidc = await oidcAuthenticator(
    { issuer: issuer.url, audience: 'trellis', tenantClaim: 'org_id' },
    { warn: () => {}, clock: () => now },
  );
  const app = new Hono();
  app.all('*', async (context) => {
    try {
      const actor = await oidc.authenticate(
        bearerToken({ headers: context.req.raw.headers, url: context.req.url }),
      );
      reached.push(actor.id);
      return context.json(actor);
    } catch (error) {
      reasons.push(authenticationFailureOf(error)?.message ?? `unexpected: ${error}`);
      return context.body('{"error":"unauthenticated"}', 401, { 'WWW-Authenticate': challenge(error) });
    }
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('No address.');
  address = bound;
  close = () => new Promise((resolve) => server.close(() => resolve()));
});

afterAll(async () => {
  await close();
  await issuer.close();
  await other.close();
});

async function publicKeyOf({ jwk, alg }: SigningKey): Promise<CryptoKey> {
  const imported = await importJWK(jwk, alg, { extractable: true });
  if (imported instanceof Uint8Array) throw new Error('A secret is no public key.');
  return imported;
}

interface Sent {
  readonly authorization?: string | readonly string[];
  readonly path?: string;
}

function send({
  authorization,
  path = '/mcp',
}: Sent): Promise<{ status: number; body: string; challenge: string }> {
  return new Promise((resolve, reject) => {
    const headers = [authorization ?? []].flat().flatMap((value) => ['Authorization', value]);
    const sending = request(
      {
        host: '127.0.0.1',
        port: address.port,
        path,
        method: 'POST',
        headers: ['Host', 'localhost', ...headers],
      },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body,
            challenge: String(response.headers['www-authenticate']),
          }),
        );
      },
    );
    sending.on('error', reject);
    sending.end();
  });
}

const good = goodClaims(issuer.url, now);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const rawPart = (text: string) => Buffer.from(text).toString('base64url');
const sign = (claims: JWTPayload, header: Readonly<Record<string, unknown>> = {}) =>
  signed(key, claims, header);
const without = (claim: string) => ({ ...good, [claim]: undefined });
const goodToken = await sign(good);
const [goodHeader = '', goodPayload = '', goodSignature = ''] = goodToken.split('.');
const bearer = (token: string): Sent => ({ authorization: `Bearer ${token}` });

/** Signs whatever bytes with the issuer's own key: what no library would sign. */
async function signedRaw(header: string, payload: string): Promise<string> {
  const { privateKey } = await signingMaterial;
  const input = `${rawPart(header)}.${rawPart(payload)}`;
  return `${input}.${createSign('RSA-SHA256').update(input).sign(privateKey, 'base64url')}`;
}
const signingMaterial = (async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  issuer.keys = [
    ...issuer.keys,
    { ...publicKey.export({ format: 'jwk' }), kid: 'raw', use: 'sig', alg: 'RS256' },
  ];
  return { privateKey };
})();
await signingMaterial;
const rawHeader = '{"alg":"RS256","kid":"raw","typ":"JWT"}';
const text = JSON.stringify(good);

function hmac(secret: string, header: object, payload = goodPayload): string {
  const input = `${encoded(header)}.${payload}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const refused: readonly (readonly [string, Sent | Promise<Sent>])[] = [
  // What carries the token
  ['no header', {}],
  ['an empty header', { authorization: '' }],
  ['Basic', { authorization: `Basic ${goodToken}` }],
  ['no scheme', { authorization: goodToken }],
  ['Bearer without a token', { authorization: 'Bearer' }],
  ['two Authorization headers', { authorization: [`Bearer ${goodToken}`, `Bearer ${goodToken}`] }],
  ['a good header and a second of another scheme', { authorization: [`Bearer ${goodToken}`, 'Basic YTpi'] }],
  ['two tokens in one header', { authorization: `Bearer ${goodToken} ${goodToken}` }],
  ['the token in the query', { path: `/mcp?access_token=${goodToken}` }],
  ['the token in the query under another name', { path: `/mcp?token=${goodToken}` }],
  [
    'the token in the query beside a good header',
    { ...bearer(goodToken), path: `/mcp?access_token=${goodToken}` },
  ],
  ['a huge token', bearer(`${goodToken}${'A'.repeat(12_288)}`)],
  ['a token in quotes', { authorization: `Bearer "${goodToken}"` }],
  // What is no signed JWT
  ['one part', bearer('trellis')],
  ['two parts', bearer(`${goodHeader}.${goodPayload}`)],
  ['four parts', bearer(`${goodToken}.AAAA`)],
  ['five parts, as if encrypted', bearer(`${goodToken}.AAAA.AAAA`)],
  ['empty parts', bearer('..')],
  ['a header that is no JSON', bearer(`${rawPart('nope')}.${goodPayload}.${goodSignature}`)],
  ['a header that is a list', bearer(`${encoded([])}.${goodPayload}.${goodSignature}`)],
  ['a payload that is no JSON', signedRaw(rawHeader, 'nope').then(bearer)],
  ['a payload that is a list', signedRaw(rawHeader, '[]').then(bearer)],
  ['a payload that is a text', signedRaw(rawHeader, JSON.stringify(goodToken)).then(bearer)],
  // The algorithm
  ['alg none without a signature', bearer(`${encoded({ alg: 'none', typ: 'JWT' })}.${goodPayload}.`)],
  ['alg none with the old signature', bearer(`${encoded({ alg: 'none' })}.${goodPayload}.${goodSignature}`)],
  ['alg None in another case', bearer(`${encoded({ alg: 'nOnE', kid: key.kid })}.${goodPayload}.`)],
  ['HMAC with the public key as PEM', bearer(hmac(publicPem, { alg: 'HS256', kid: key.kid, typ: 'JWT' }))],
  ['HMAC with the public key as JWK', bearer(hmac(JSON.stringify(key.jwk), { alg: 'HS256', kid: key.kid }))],
  ['HMAC with the modulus', bearer(hmac(key.jwk.n ?? '', { alg: 'HS256', kid: key.kid }))],
  ['HMAC with nothing', bearer(hmac('', { alg: 'HS256' }))],
  ['no alg', bearer(`${encoded({ kid: key.kid, typ: 'JWT' })}.${goodPayload}.${goodSignature}`)],
  [
    'an alg that is no text',
    bearer(`${encoded({ alg: ['RS256'], kid: key.kid })}.${goodPayload}.${goodSignature}`),
  ],
  [
    'an alg that is not known',
    bearer(`${encoded({ alg: 'XX999', kid: key.kid })}.${goodPayload}.${goodSignature}`),
  ],
  [
    'an alg that is not the key’s',
    bearer(`${encoded({ alg: 'RS512', kid: key.kid })}.${goodPayload}.${goodSignature}`),
  ],
  // The key
  ['an unknown kid', sign(good, { kid: 'key-9' }).then(bearer)],
  ['a kid that is no text', sign(good, { kid: 7 }).then(bearer)],
  ['a kid that is a path', sign(good, { kid: '../../dev/null' }).then(bearer)],
  ['the kid of another key', sign(good, { kid: elliptic.kid }).then(bearer)],
  ['another key under a known kid', signed(stranger, good).then(bearer)],
  ['a key of its own in jwk', signed(stranger, good, { jwk: stranger.jwk }).then(bearer)],
  [
    'a key of its own in jwk without a kid',
    signed(stranger, good, { kid: undefined, jwk: stranger.jwk }).then(bearer),
  ],
  ['a key set of its own in jku', signed(stranger, good, { jku: `${other.url}/keys` }).then(bearer)],
  ['a certificate of its own in x5c', signed(stranger, good, { x5c: ['AAAA'] }).then(bearer)],
  ['a certificate of its own in x5u', signed(stranger, good, { x5u: `${other.url}/cert` }).then(bearer)],
  ['a good signature, and a jku all the same', sign(good, { jku: `${issuer.url}/keys` }).then(bearer)],
  // The signature
  ['a changed payload', bearer(`${goodHeader}.${encoded({ ...good, sub: 'root' })}.${goodSignature}`)],
  [
    'a changed header',
    bearer(`${encoded({ alg: 'RS256', kid: key.kid, typ: 'JWT', x: 1 })}.${goodPayload}.${goodSignature}`),
  ],
  [
    'a changed signature',
    bearer(
      `${goodHeader}.${goodPayload}.${goodSignature.startsWith('A') ? 'B' : 'A'}${goodSignature.slice(1)}`,
    ),
  ],
  ['half a signature', bearer(`${goodHeader}.${goodPayload}.${goodSignature.slice(0, 100)}`)],
  ['no signature', bearer(`${goodHeader}.${goodPayload}.`)],
  [
    'the signature of another token',
    sign({ ...good, sub: 'bob' }).then((token) =>
      bearer(`${goodHeader}.${goodPayload}.${token.split('.')[2]}`),
    ),
  ],
  [
    'alg twice in the header, with the old signature',
    bearer(`${rawPart(`{"alg":"none","alg":"RS256","kid":"${key.kid}"}`)}.${goodPayload}.${goodSignature}`),
  ],
  [
    'alg twice in the header, none last',
    bearer(`${rawPart(`{"alg":"RS256","kid":"${key.kid}","alg":"none"}`)}.${goodPayload}.`),
  ],
  // What a header says it is
  ['a logout token', sign(good, { typ: 'logout+jwt' }).then(bearer)],
  ['a proof of possession', sign(good, { typ: 'dpop+jwt' }).then(bearer)],
  ['a typ that is no text', sign(good, { typ: 1 }).then(bearer)],
  ['an unknown crit', signedRaw('{"alg":"RS256","kid":"raw","crit":["x"],"x":1}', text).then(bearer)],
  ['an empty crit', signedRaw('{"alg":"RS256","kid":"raw","crit":[]}', text).then(bearer)],
  ['b64 false', signedRaw('{"alg":"RS256","kid":"raw","b64":false,"crit":["b64"]}', text).then(bearer)],
  ['b64 false without crit', signedRaw('{"alg":"RS256","kid":"raw","b64":false}', text).then(bearer)],
  ['a token in a token', signedRaw('{"alg":"RS256","kid":"raw","cty":"JWT"}', text).then(bearer)],
  ['compression', signedRaw('{"alg":"RS256","kid":"raw","zip":"DEF"}', text).then(bearer)],
  // The claims
  ['another issuer', sign({ ...good, iss: other.url }).then(bearer)],
  ['an issuer with a slash more', sign({ ...good, iss: `${issuer.url}/` }).then(bearer)],
  ['another issuer’s own token', signed(stranger, { ...good, iss: other.url }).then(bearer)],
  ['no issuer', sign(without('iss')).then(bearer)],
  ['another audience', sign({ ...good, aud: 'another' }).then(bearer)],
  ['other audiences', sign({ ...good, aud: ['a', 'b'] }).then(bearer)],
  ['an audience that begins like ours', sign({ ...good, aud: 'trellis2' }).then(bearer)],
  ['no audience', sign(without('aud')).then(bearer)],
  ['an empty list of audiences', sign({ ...good, aud: [] }).then(bearer)],
  ['expired', sign({ ...good, exp: seconds - 61 }).then(bearer)],
  ['no end', sign(without('exp')).then(bearer)],
  [
    'an end that is a text',
    signedRaw(rawHeader, JSON.stringify({ ...good, exp: '9999999999' })).then(bearer),
  ],
  ['not valid yet', sign({ ...good, nbf: seconds + 61 }).then(bearer)],
  ['a beginning that is a text', signedRaw(rawHeader, JSON.stringify({ ...good, nbf: 'now' })).then(bearer)],
  ['issued in the future', sign({ ...good, iat: seconds + 61 }).then(bearer)],
  ['expired before it was issued', sign({ ...good, iat: seconds, exp: seconds - 30 }).then(bearer)],
  [
    'a time of issue that is a text',
    signedRaw(rawHeader, JSON.stringify({ ...good, iat: 'now' })).then(bearer),
  ],
  ['no subject', sign(without('sub')).then(bearer)],
  ['an empty subject', sign({ ...good, sub: '' }).then(bearer)],
  ['a subject that is a number', signedRaw(rawHeader, JSON.stringify({ ...good, sub: 7 })).then(bearer)],
  [
    'a subject that is an object',
    signedRaw(rawHeader, JSON.stringify({ ...good, sub: { a: 1 } })).then(bearer),
  ],
  ['a subject with a line break', sign({ ...good, sub: 'ann\nroot' }).then(bearer)],
  ['a subject with half a character', signedRaw(rawHeader, text.replace('"ann"', '"\\ud800"')).then(bearer)],
  ['a huge subject', sign({ ...good, sub: 'a'.repeat(257) }).then(bearer)],
  ['groups that are numbers', sign({ ...good, groups: [1] }).then(bearer)],
  ['groups that are an object', sign({ ...good, groups: { admin: true } }).then(bearer)],
  ['too many groups', sign({ ...good, groups: Array.from({ length: 1_001 }, () => 'g') }).then(bearer)],
  ['a tenant that is a list', sign({ ...good, org_id: ['acme'] }).then(bearer)],
];

test('there are at least forty of them', () => {
  expect(new Set(refused.map(([name]) => name)).size).toBe(refused.length);
  expect(refused.length).toBeGreaterThanOrEqual(40);
});

test.each(refused)('%s is not let in, and not told why', async (name, sent) => {
  const answer = await send(await sent);
  expect(answer).toEqual({
    status: 401,
    body: '{"error":"unauthenticated"}',
    challenge: name === 'no header' ? 'Bearer' : 'Bearer error="invalid_token"',
  });
  expect(reached).toEqual([]);
  expect(reasons.at(-1)).not.toMatch(/^unexpected/);
});

const accepted: readonly (readonly [string, Promise<Sent>])[] = [
  ['a good token', sign(good).then(bearer)],
  ['typ at+jwt', sign(good, { typ: 'at+jwt' }).then(bearer)],
  ['typ in full', sign(good, { typ: 'application/at+jwt' }).then(bearer)],
  ['no typ', sign(good, { typ: undefined }).then(bearer)],
  ['an elliptic key', signed(elliptic, good).then(bearer)],
  ['an Edwards key', signed(edwards, good).then(bearer)],
  [
    'an elliptic key without a kid, the only one of its kind',
    signed(elliptic, good, { kid: undefined }).then(bearer),
  ],
  ['one audience of several', sign({ ...good, aud: ['other', 'trellis'] }).then(bearer)],
  ['expired within the skew', sign({ ...good, iat: seconds - 99, exp: seconds - 59 }).then(bearer)],
  ['not valid yet, within the skew', sign({ ...good, nbf: seconds + 59 }).then(bearer)],
  ['no time of issue', sign(without('iat')).then(bearer)],
  ['what the raw signer makes, so that its refusals mean something', signedRaw(rawHeader, text).then(bearer)],
];

test.each(accepted)('%s is let in', async (_, sent) => {
  const { status, body } = await send(await sent);
  expect({ status, actor: JSON.parse(body) }).toEqual({
    status: 200,
    actor: {
      id: 'ann',
      groups: ['team'],
      tenant: 'acme',
      scopes: ['memory:read', 'memory:write'],
      source: 'oidc',
    },
  });
  reached.length = 0;
});
