import type { AllowedHosts } from './allowed-hosts.js';

/** Whether a server bound to this address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || bare(host) === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether a server bound to this address listens on every address of its machine: `0.0.0.0`, `::`. */
export function isEveryAddress(host: string): boolean {
  return /^((::ffff:)?0(\.0){0,3}|[0:]*:[0:]*|)$/i.test(bare(host));
}

/** Where clients reach a server that listens there: `0.0.0.0` is no address that one could connect to. */
export function urlOf(host: string, port: number): string {
  if (!isEveryAddress(host)) return `http://${inUrl(host)}:${port}`;
  return `http://${host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
}

/** The names a server answers to, with the address it was told to listen on. */
export function withListenHost(host: string, { hosts, origins }: AllowedHosts): AllowedHosts {
  return { hosts: isLoopback(host) || isEveryAddress(host) ? hosts : [...hosts, inUrl(host)], origins };
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${bare(host)}]` : host;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
