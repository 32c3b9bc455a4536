import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A key pair an issuer signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** An identity provider on this machine, over real HTTP. */
export class Issuer {
  readonly url: string;
  keys: readonly JWK[];
  /** How often the keys were asked for. */
  asked = 0;
  /** Takes the place of the usual answers. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly close: () => Promise<void>;

  private constructor(url: string, keys: readonly JWK[], close: () => Promise<void>) {
    this.url = url;
    this.keys = keys;
    this.close = close;
  }

  static async start(keys: readonly SigningKey[]): Promise<Issuer> {
    const server = createServer((request, response) => issuer.#respond(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('No address.');
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    const issuer: Issuer = new Issuer(
      `http://127.0.0.1:${address.port}`,
      keys.map(({ jwk }) => jwk),
      close,
    );
    return issuer;
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/keys') this.asked += 1;
    if (this.answer?.(request, response)) return;
    const json = (body: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (request.url === '/.well-known/openid-configuration')
      json({ issuer: this.url, jwks_uri: `${this.url}/keys` });
    else if (request.url === '/keys') json({ keys: this.keys });
    else {
      response.statusCode = 404;
      response.end();
    }
  }
}

/** The claims of a good token, an hour long. */
export function goodClaims(issuer: string, now: number): JWTPayload {
  const seconds = Math.floor(now / 1000);
  return {
    iss: issuer,
    aud: 'trellis',
    sub: 'ann',
    groups: ['team'],
    org_id: 'acme',
    scope: 'memory:read memory:write',
    iat: seconds,
    exp: seconds + 3600,
  };
}

/** Signs claims; a claim or header set to undefined is left out. */
export function signed(
  key: SigningKey,
  claims: JWTPayload,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const all = Object.entries({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header });
  const kept = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  return new SignJWT(claims).setProtectedHeader({ alg: key.alg, ...kept }).sign(key.privateKey);
}
