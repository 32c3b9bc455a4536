import { TrellisError } from '../model/error.js';
import { isLoopback } from '../server/http/listen-host.js';
import type { ProxyCredentials } from './upstream.js';

export interface ServerTarget {
  readonly graph?: string | undefined;
  readonly surface?: string | undefined;
  readonly branch?: string | undefined;
  readonly workspace?: string | undefined;
}

/** The URL is the server's, or that of one surface, ending in /mcp. */
export function surfaceUrl(given: string, { graph, surface, branch, workspace }: ServerTarget): URL {
  const url = parseServerUrl(given);
  const [option] = Object.entries({ graph, surface }).find(([, value]) => value !== undefined) ?? [];
  if (workspace !== undefined && option !== undefined)
    throw new TrellisError('USAGE', `--workspace and --${option} are both given.`, {
      hint: 'A workspace is a graph: give one of them.',
    });
  if (surface !== undefined && graph === undefined)
    throw new TrellisError('USAGE', 'A surface needs a graph.', { hint: 'Say which one with --graph.' });
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/mcp')) {
    if (option !== undefined)
      throw new TrellisError('USAGE', `The URL already names an endpoint, so --${option} cannot be used.`, {
        hint: 'Leave it out, or give the URL without its path.',
      });
  } else url.pathname = `${path}${surfacePath(graph, surface)}`;
  if (branch !== undefined) url.searchParams.set('branch', branch);
  return url;
}

function surfacePath(graph: string | undefined, surface: string | undefined): string {
  const parts = [graph, surface].filter((part) => part !== undefined);
  return `${parts.length === 0 ? '' : '/graphs'}${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}/mcp`;
}

export function parseServerUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TrellisError('USAGE', 'The server URL must start with http:// or https://.', {
      hint: 'Give one such as https://memory.example.com.',
    });
  if (url.username !== '' || url.password !== '')
    throw new TrellisError('USAGE', 'The server URL contains a password.', {
      hint: 'Leave it out; servers take tokens: see docs/proxy.md.',
    });
  url.hash = '';
  return url;
}

/** Others can read a token over plain http. */
export function requireSafeTransport(url: URL, { token }: ProxyCredentials, insecure: boolean): void {
  if (token === undefined || insecure || url.protocol === 'https:' || isLoopback(url.hostname)) return;
  throw new TrellisError(
    'USAGE',
    `A token would go to ${url.host} over plain http, where others can read it.`,
    { hint: 'Use https://, or --insecure if nobody can listen on the way.' },
  );
}
