import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import { type Clock, systemClock } from '../../model/clock.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import { accessLimits } from '../../model/limits.js';
import { type Authenticator, unauthenticated } from '../authenticator.js';
import { actorFromClaims } from './actor-from-claims.js';
import { fetchJson } from './fetch-json.js';
import { fileKeys, type KeySource, type RemoteKeyOptions, RemoteKeys } from './key-source.js';
import {
  checkOidcSettings,
  checkProviderUrl,
  type OidcSettings,
  signatureAlgorithms,
} from './oidc-settings.js';

export interface OidcOptions extends RemoteKeyOptions {
  readonly clock?: Clock;
}

/** Of access tokens; the same keys sign logout and security events. */
const types: readonly string[] = ['jwt', 'at+jwt', 'application/at+jwt'];

/** With these, a token would bring its own key, or is not what it seems. */
const refusedHeaders: readonly string[] = ['jwk', 'jku', 'x5c', 'x5u', 'crit', 'b64', 'cty', 'zip', 'enc'];

export async function oidcAuthenticator(given: OidcSettings, options: OidcOptions): Promise<Authenticator> {
  const settings = checkOidcSettings(given);
  const keys = await keySource(settings, options);
  const clock = options.clock ?? systemClock;
  const names = {
    actor: settings.actorClaim ?? 'sub',
    groups: settings.groupsClaim ?? 'groups',
    tenant: settings.tenantClaim,
  };
  return {
    async authenticate(bearer) {
      checkHeader(bearer);
      return actorFromClaims(await verifiedClaims(bearer, keys, settings, clock()), names);
    },
  };
}

function keySource(settings: OidcSettings, options: OidcOptions): KeySource | Promise<KeySource> {
  const { issuer, jwksUri, jwksFile } = settings;
  if (jwksFile !== undefined) return fileKeys(jwksFile, options);
  // Discovered anew each time, since keys may move.
  const locate = jwksUri === undefined ? () => discoverKeysUrl(issuer) : async () => new URL(jwksUri);
  return new RemoteKeys(async () => fetchJson(await locate()), options);
}

/** What must be refused even if the signature is valid. */
function checkHeader(bearer: string): void {
  if (bearer.length > accessLimits.tokenLength) throw unauthenticated('a token that is too long');
  let header: Readonly<Record<string, unknown>>;
  try {
    header = { ...decodeProtectedHeader(bearer) };
  } catch (cause) {
    throw unauthenticated('not a signed JWT', { cause });
  }
  const refused = refusedHeaders.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw unauthenticated(`a JWT with the header ${refused}`);
  const { typ, kid } = header;
  if (typ !== undefined && !(typeof typ === 'string' && types.includes(typ.toLowerCase())))
    throw unauthenticated('a JWT that is not an access token (typ)');
  if (kid !== undefined && typeof kid !== 'string') throw unauthenticated('a JWT whose kid is not a string');
}

async function verifiedClaims(
  bearer: string,
  source: KeySource,
  settings: OidcSettings,
  now: number,
): Promise<JWTPayload> {
  const keys = await source.current();
  try {
    return await verify(bearer, keys, settings, now);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw invalidToken(error);
  }
  // The issuer may sign with a new key since.
  const newer = await source.newerThan(keys);
  if (newer === undefined) throw unauthenticated('a JWT signed with an unknown key');
  return verify(bearer, newer, settings, now).catch((error: unknown) => {
    throw invalidToken(error);
  });
}

async function verify(
  bearer: string,
  keys: LocalJWKSet,
  settings: OidcSettings,
  now: number,
): Promise<JWTPayload> {
  const skew = settings.clockSkewSeconds ?? 60;
  const { payload } = await jwtVerify(bearer, keys, {
    issuer: settings.issuer,
    audience: [settings.audience].flat(),
    algorithms: [...(settings.algorithms ?? signatureAlgorithms)],
    clockTolerance: skew,
    currentDate: new Date(now),
    requiredClaims: ['exp'],
  });
  checkIssueTime(payload, Math.floor(now / 1000), skew);
  return payload;
}

/** The expiry of a token from the future cannot be trusted either. */
function checkIssueTime({ iat, exp }: JWTPayload, now: number, skew: number): void {
  if (iat === undefined) return;
  if (typeof iat !== 'number' || !Number.isFinite(iat))
    throw unauthenticated('a JWT whose iat is not a number');
  if (iat > now + skew) throw unauthenticated('a JWT issued in the future');
  if (exp !== undefined && exp < iat) throw unauthenticated('a JWT that expired before it was issued');
}

/** Every failure refuses the token; the log has the cause. */
function invalidToken(error: unknown): TrellisError {
  if (error instanceof TrellisError) return error;
  const reason = reasonOf(error);
  return unauthenticated(`a JWT that fails: ${reason}`, { cause: error });
}

/** The document must be the issuer's own, or another could impersonate it. */
async function discoverKeysUrl(issuer: string): Promise<URL> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = await fetchJson(url);
  if (typeof document !== 'object' || document === null) throw new Error(`${url.href} is not a JSON object`);
  if (!('issuer' in document) || document.issuer !== issuer)
    throw new Error(`${url.href} describes another issuer than ${issuer}`);
  if (!('jwks_uri' in document) || typeof document.jwks_uri !== 'string')
    throw new Error(`${url.href} has no jwks_uri`);
  return checkProviderUrl(document.jwks_uri, 'The jwks_uri of the issuer');
}
