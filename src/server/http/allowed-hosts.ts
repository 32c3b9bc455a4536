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

/** Pages cannot forge Sec-Fetch-Site. They may follow a link here, but not write in a browser that sends no Origin. */
export function crossSiteRefusal(
  method: string,
  origin: string | undefined,
  site: string | undefined,
): string | undefined {
  const isWrite = method !== 'GET' && method !== 'HEAD';
  if (origin !== undefined || site !== 'cross-site' || !isWrite) return undefined;
  return 'Pages of other sites may not write to this server.';
}
