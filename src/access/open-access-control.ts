import type { Clock } from '../model/clock.js';
import { TrellisError } from '../model/error.js';
import type { AccessControl } from './access-control.js';
import { type Authenticator, combineAuthenticators } from './authenticator.js';
import { bearerToken } from './bearer-token.js';
import type { OidcSettings } from './oidc/oidc-settings.js';
import type { PolicyFiles } from './policy/server-policies.js';
import type { SignInProvider } from './sign-in-provider.js';
import type { TokenSource } from './tokens/token-authenticator.js';

export interface AccessSettings {
  readonly tokens?: TokenSource | undefined;
  readonly oidc?: OidcSettings | undefined;
  readonly policy?: PolicyFiles | undefined;
}

export interface AccessOptions {
  readonly warn: (message: string) => void;
  readonly clock?: Clock;
}

/** Cedar and OIDC are loaded only here, and only if used. */
export async function openAccessControl(
  settings: AccessSettings,
  options: AccessOptions,
): Promise<AccessControl> {
  const authenticators: Authenticator[] = [];
  let signIn: SignInProvider | undefined;
  if (settings.tokens !== undefined) {
    const { tokenAuthenticator } = await import('./tokens/token-authenticator.js');
    authenticators.push(await tokenAuthenticator(settings.tokens, options));
  }
  if (settings.oidc !== undefined) {
    const { oidcAuthenticator } = await import('./oidc/oidc-authenticator.js');
    const oidc = await oidcAuthenticator(settings.oidc, options);
    authenticators.push(oidc);
    signIn = oidc.signIn;
  }
  if (authenticators.length === 0)
    throw new TrellisError('USAGE', 'No tokens and no issuer are configured, so nobody can connect.', {
      hint: 'Make a token with trellis token create, and name its file under auth: in the configuration.',
    });
  if (!hasPolicy(settings)) options.warn(noPolicyWarning);
  const { ServerPolicies } = await import('./policy/server-policies.js');
  const authenticator = combineAuthenticators(authenticators);
  const policies = await ServerPolicies.open(settings.policy ?? {}, options);
  return {
    required: true,
    signIn,
    issuers: settings.oidc === undefined ? [] : [settings.oidc.issuer],
    async authenticate(credentials) {
      await policies.refresh();
      return authenticator.authenticate(bearerToken(credentials));
    },
    may: (actor, graph, branch) => policies.may(actor, graph, branch),
    mayOnServer: (actor) => (permissions) =>
      permissions.every(({ action }) => policies.decide(actor, { action }).allowed),
    canSee: (actor, graph) => policies.hasAnyGrant(actor, graph),
    denial: (actor, permissions, graph) => policies.denial(actor, permissions, graph),
    decide: (actor, request) => policies.decide(actor, request),
    mentioned: (graph) => policies.mentioned(graph),
  };
}

export const noPolicyWarning =
  'No policy is configured, so nobody may do anything yet. Write one and name it under policy: in the configuration (docs/access.md).';

export function hasPolicy({ policy }: AccessSettings): boolean {
  return policy?.server !== undefined || (policy?.graphs?.size ?? 0) > 0;
}
