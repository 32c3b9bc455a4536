import { TrellisError } from '../../model/error.js';

export interface OidcSettings {
  /** Exactly as in the claim `iss`. */
  readonly issuer: string;
  /** What `aud` must name; one of several is enough. */
  readonly audience: string | readonly string[];
  /** Default: what the issuer's discovery document says. */
  readonly jwksUri?: string | undefined;
  /** For servers without network access. */
  readonly jwksFile?: string | undefined;
  /** Default: all of `signatureAlgorithms`. */
  readonly algorithms?: readonly string[] | undefined;
  /** Default: `sub`. */
  readonly actorClaim?: string | undefined;
  /** Default: `groups`. */
  readonly groupsClaim?: string | undefined;
  /** Default: actors have no tenant. */
  readonly tenantClaim?: string | undefined;
  /** Default: 60. */
  readonly clockSkewSeconds?: number | undefined;
  /** Of a public client at the issuer, with which people sign in. Default: they bring a token. */
  readonly clientId?: string | undefined;
  /** What a sign-in asks for besides `openid`. */
  readonly scopes?: readonly string[] | undefined;
}

/** Asymmetric ones only: whoever knows the public keys cannot sign. */
export const signatureAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** RFC 6749. */
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const mostSkewSeconds = 600;

export function checkOidcSettings(settings: OidcSettings): OidcSettings {
  checkProviderUrl(settings.issuer, 'The issuer');
  if (settings.jwksUri !== undefined) checkProviderUrl(settings.jwksUri, 'jwks_uri');
  if (settings.jwksUri !== undefined && settings.jwksFile !== undefined)
    throw invalidSetting('jwks_uri and a file of keys are both given.', 'Give one of them.');
  const audiences = [settings.audience].flat();
  if (audiences.length === 0 || audiences.includes(''))
    throw invalidSetting(
      'The audience is empty.',
      'Name what your provider puts into "aud" for this server.',
    );
  const unknown = settings.algorithms?.find((name) => !signatureAlgorithms.includes(name));
  if (unknown !== undefined || settings.algorithms?.length === 0)
    throw invalidSetting(
      unknown === undefined ? 'No algorithm is allowed.' : `The algorithm ${unknown} cannot be allowed.`,
      `Use some of: ${signatureAlgorithms.join(', ')}.`,
    );
  checkSignIn(settings);
  const skew = settings.clockSkewSeconds;
  if (skew !== undefined && !(skew >= 0 && skew <= mostSkewSeconds))
    throw invalidSetting(`A clock skew of ${skew} seconds cannot be right.`, `Use 0 to ${mostSkewSeconds}.`);
  return settings;
}

function checkSignIn({ clientId, scopes = [] }: OidcSettings): void {
  if (clientId === '') throw invalidSetting('client_id is empty.', 'Name the client that the issuer knows.');
  if (clientId === undefined && scopes.length > 0)
    throw invalidSetting('scopes are given without client_id.', 'Name the client that asks for them.');
  const unusable = scopes.find((scope) => !scopePattern.test(scope));
  if (unusable !== undefined)
    throw invalidSetting(
      `${JSON.stringify(unusable)} is not a scope.`,
      'Give each scope as an item of its own.',
    );
}

/** Keys over an unencrypted connection are worth nothing, except on this machine. */
export function checkProviderUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw invalidSetting(`${what} is not a URL: ${JSON.stringify(text)}.`, 'Give it with https://.');
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw invalidSetting(`${what} is not reached over HTTPS: ${url.origin}.`, 'Give it with https://.');
  if (url.username !== '' || url.password !== '')
    throw invalidSetting(`${what} carries a user name or a password.`, 'Leave them out.');
  return url;
}

function invalidSetting(message: string, hint: string): TrellisError {
  return new TrellisError('USAGE', `OIDC: ${message}`, { hint });
}
