import type { AllowedHosts } from './allowed-hosts.js';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || withoutBrackets(host) === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** `0.0.0.0`, `::` and their other spellings. */
export function isWildcardAddress(host: string): boolean {
  return /^((::ffff:)?0(\.0){0,3}|[0:]*:[0:]*|)$/i.test(withoutBrackets(host));
}

/** Clients cannot connect to `0.0.0.0`. */
export function urlOf(host: string, port: number): string {
  if (!isWildcardAddress(host)) return `http://${urlHost(host)}:${port}`;
  return `http://${host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
}

export function withListenHost(host: string, { hosts, origins }: AllowedHosts): AllowedHosts {
  return { hosts: isLoopback(host) || isWildcardAddress(host) ? hosts : [...hosts, urlHost(host)], origins };
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${withoutBrackets(host)}]` : host;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
