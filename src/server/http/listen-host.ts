import type { AllowedHosts } from './allowed-hosts.js';

/** Whether a server bound to this address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || withoutBrackets(host) === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether a server bound to this address listens on every address of its machine: `0.0.0.0`, `::`. */
export function isWildcardAddress(host: string): boolean {
  return /^((::ffff:)?0(\.0){0,3}|[0:]*:[0:]*|)$/i.test(withoutBrackets(host));
}

/** Where clients reach a server that listens there: `0.0.0.0` is no address that one could connect to. */
export function urlOf(host: string, port: number): string {
  if (!isWildcardAddress(host)) return `http://${urlHost(host)}:${port}`;
  return `http://${host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
}

/** The names a server answers to, with the address it was told to listen on. */
export function withListenHost(host: string, { hosts, origins }: AllowedHosts): AllowedHosts {
  return { hosts: isLoopback(host) || isWildcardAddress(host) ? hosts : [...hosts, urlHost(host)], origins };
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${withoutBrackets(host)}]` : host;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
