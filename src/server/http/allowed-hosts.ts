import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

export interface AllowedHosts {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** A web page can make a browser send requests here under its own name (DNS rebinding), so Host and Origin must be known. */
export function hostRefusal(
  host: string | undefined,
  origin: string | undefined,
  allowed: AllowedHosts = { hosts: [], origins: [] },
): string | undefined {
  const byHost = validateHostHeader(host, [...localhostAllowedHostnames(), ...allowed.hosts]);
  if (!byHost.ok) {
    const names = ['localhost', '127.0.0.1', '[::1]', ...allowed.hosts];
    return `${byHost.message}. This server answers to ${names.join(', ')} only: see server.allowed_hosts.`;
  }
  if (origin !== undefined && (allowed.origins.includes(origin) || hostOf(origin) === host)) return undefined;
  const byOrigin = validateOriginHeader(origin, localhostAllowedOrigins());
  if (!byOrigin.ok)
    return `${byOrigin.message}. Only pages of this machine, and those in server.allowed_origins, may call this server.`;
  return undefined;
}

/** The explorer's own, if it is that of the request. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * What a browser says of a request without Origin; pages cannot forge it. Those of other sites may lead here by a link,
 * but neither write nor, with requests whose answers they do not see, make the server read and time it.
 */
export function crossSiteRefusal(method: string, header: (name: string) => string | undefined) {
  if (header('origin') !== undefined || header('sec-fetch-site') !== 'cross-site') return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && (header('sec-fetch-mode') ?? 'navigate') === 'navigate') return undefined;
  return 'Pages of other sites may not call this server.';
}
