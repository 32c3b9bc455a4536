import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import { reasonOf, TrellisError } from '../../model/error.js';
import { accessLimits } from '../../model/limits.js';
import { unauthenticated } from '../authenticator.js';
import type { KeySource } from './key-source.js';
import { type OidcSettings, signatureAlgorithms } from './oidc-settings.js';

type TokenRules = Pick<OidcSettings, 'issuer' | 'audience' | 'algorithms' | 'clockSkewSeconds'>;

/** Of access tokens; the same keys sign logout and security events. */
const types: readonly string[] = ['jwt', 'at+jwt', 'application/at+jwt'];

/** With these, a token would bring its own key, or is not what it seems. */
const refusedHeaders: readonly string[] = ['jwk', 'jku', 'x5c', 'x5u', 'crit', 'b64', 'cty', 'zip', 'enc'];

/** Checks the header, the signature, the issuer, the audience and the times. */
export async function verifiedClaims(
  bearer: string,
  source: KeySource,
  settings: TokenRules,
  now: number,
): Promise<JWTPayload> {
  checkHeader(bearer);
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

async function verify(
  bearer: string,
  keys: LocalJWKSet,
  settings: TokenRules,
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
