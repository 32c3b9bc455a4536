import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

/** Whether a server bound to this address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Why a request is refused, or undefined. A page on the web can make a browser send requests here under its own name
 * (DNS rebinding), so both the name it asked for and the page it comes from must be this machine.
 */
export function refusal(host: string | undefined, origin: string | undefined): string | undefined {
  const byHost = validateHostHeader(host, localhostAllowedHostnames());
  if (!byHost.ok) return `${byHost.message}. This server answers to localhost, 127.0.0.1 and [::1] only.`;
  const byOrigin = validateOriginHeader(origin, localhostAllowedOrigins());
  if (!byOrigin.ok) return `${byOrigin.message}. Only pages of this machine may call this server.`;
  return undefined;
}
