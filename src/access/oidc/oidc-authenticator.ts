import { type Clock, systemClock } from '../../model/clock.js';
import type { Authenticator } from '../authenticator.js';
import type { SignInProvider } from '../sign-in-provider.js';
import { actorFromClaims } from './actor-from-claims.js';
import { codeSignIn } from './code-sign-in.js';
import { discover, urlIn } from './discovery.js';
import { fetchJson } from './fetch-json.js';
import { fileKeys, type KeySource, remoteKeys } from './key-source.js';
import { checkOidcSettings, type OidcSettings } from './oidc-settings.js';
import type { RemoteOptions } from './remote-document.js';
import { verifiedClaims } from './verify-token.js';

export interface OidcOptions extends RemoteOptions {
  readonly clock?: Clock;
}

interface OidcAuthenticator extends Authenticator {
  /** If people may sign in at the provider. */
  readonly signIn: SignInProvider | undefined;
}

export async function oidcAuthenticator(
  given: OidcSettings,
  options: OidcOptions,
): Promise<OidcAuthenticator> {
  const settings = checkOidcSettings(given);
  const keys = await keySource(settings, options);
  const clock = options.clock ?? systemClock;
  const names = {
    actor: settings.actorClaim ?? 'sub',
    groups: settings.groupsClaim ?? 'groups',
    tenant: settings.tenantClaim,
  };
  const authenticator: Authenticator = {
    authenticate: async (bearer) =>
      actorFromClaims(await verifiedClaims(bearer, keys, settings, clock()), names),
  };
  const { clientId } = settings;
  if (clientId === undefined) return { ...authenticator, signIn: undefined };
  const verifyIdToken = (token: string) =>
    verifiedClaims(token, keys, { ...settings, audience: clientId }, clock());
  return {
    ...authenticator,
    signIn: codeSignIn({ ...settings, clientId }, { ...options, authenticator, verifyIdToken }),
  };
}

function keySource(settings: OidcSettings, options: OidcOptions): KeySource | Promise<KeySource> {
  const { issuer, jwksUri, jwksFile } = settings;
  if (jwksFile !== undefined) return fileKeys(jwksFile, options);
  // Discovered anew each time, since keys may move.
  const locate =
    jwksUri === undefined
      ? async () => urlIn(await discover(issuer), 'jwks_uri')
      : async () => new URL(jwksUri);
  return remoteKeys(async () => fetchJson(await locate()), options);
}
