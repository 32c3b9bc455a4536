import type { Clock } from '../model/clock.js';
import { TrellisError } from '../model/error.js';
import type { Access } from './access.js';
import { type Authenticator, anyOf } from './authenticate.js';
import { bearerOf } from './bearer.js';
import type { OidcSettings } from './oidc/settings.js';
import type { Policies, PolicyFiles } from './policy/policies.js';
import type { TokenSource } from './tokens/token-authenticator.js';

/** The blocks `auth:` and `policy:` of a configuration. */
export interface AccessSettings {
  readonly tokens?: TokenSource | undefined;
  readonly oidc?: OidcSettings | undefined;
  readonly policy?: PolicyFiles | undefined;
}

export interface AccessOptions {
  readonly warn: (message: string) => void;
  readonly clock?: Clock;
}

/** Opens what a server needs to let clients in. Cedar and the parts for OIDC are loaded only here, and only if used. */
export async function openAccess(settings: AccessSettings, options: AccessOptions): Promise<Access> {
  const authenticators: Authenticator[] = [];
  if (settings.tokens !== undefined) {
    const { tokenAuthenticator } = await import('./tokens/token-authenticator.js');
    authenticators.push(await tokenAuthenticator(settings.tokens, options));
  }
  if (settings.oidc !== undefined) {
    const { oidcAuthenticator } = await import('./oidc/oidc-authenticator.js');
    authenticators.push(await oidcAuthenticator(settings.oidc, options));
  }
  if (authenticators.length === 0)
    throw new TrellisError('USAGE', 'Nothing says who may connect: there are neither tokens nor an issuer.', {
      hint: 'Make a token with trellis token create, and name its file under auth: in the configuration.',
    });
  if (!hasPolicy(settings)) options.warn(noPolicy);
  const { Policies } = await import('./policy/policies.js');
  const issuers = settings.oidc === undefined ? [] : [settings.oidc.issuer];
  return accessOf(anyOf(authenticators), await Policies.open(settings.policy ?? {}, options), issuers);
}

/** What a server with tokens and no policy says when it starts. */
export const noPolicy =
  'There is no policy, so nobody may do anything yet: write one, and name it under policy in the configuration (docs/access.md).';

/** Whether anything says what actors may do. */
export function hasPolicy({ policy }: AccessSettings): boolean {
  return policy?.server !== undefined || (policy?.graphs?.size ?? 0) > 0;
}

function accessOf(authenticator: Authenticator, policies: Policies, issuers: readonly string[]): Access {
  return {
    required: true,
    issuers,
    async authenticate(credentials) {
      await policies.refresh();
      return authenticator.authenticate(bearerOf(credentials));
    },
    may: (actor, graph, branch) => policies.may(actor, graph, branch),
    mayOnServer: (actor) => (permissions) =>
      permissions.every(({ action }) => policies.decide(actor, { action }).allowed),
    sees: (actor, graph) => policies.hasAnyGrant(actor, graph),
    denial: (actor, permissions, graph) => policies.denial(actor, permissions, graph),
  };
}
