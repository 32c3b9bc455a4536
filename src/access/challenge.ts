import { authenticationFailureOf } from './authenticator.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** RFC 9728: the path of the resource goes after the well-known one. */
export function resourceMetadataUrl(resource: URL): URL {
  const path = resource.pathname === '/' ? '' : resource.pathname;
  return new URL(`${wellKnown}${path}`, resource.origin);
}

/** `WWW-Authenticate` on a 401 (RFC 6750, RFC 9728): says that a token was refused, never why. */
export function challenge(error: unknown, metadata?: URL): string {
  const refused = authenticationFailureOf(error)?.missing !== true;
  const parameters = [
    ...(refused ? ['error="invalid_token"'] : []),
    // A normalized URL has no quotes and no backslashes.
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata.href}"`]),
  ];
  return parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`;
}

export interface ProtectedResource {
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers?: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
}

export function protectedResource(resource: URL, issuers: readonly string[]): ProtectedResource {
  return {
    resource: resource.pathname === '/' ? resource.origin : resource.href,
    resource_name: 'Trellis',
    ...(issuers.length === 0 ? {} : { authorization_servers: issuers }),
    bearer_methods_supported: ['header'],
  };
}
