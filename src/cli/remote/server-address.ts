import { credentialsPath, findServer } from '../../config/find-server.js';
import { environmentLayer, firstSetting, flagLayer } from '../../config/setting-layers.js';
import { TrellisError } from '../../model/error.js';
import { defaultGraph } from '../../model/graph-record.js';
import { tokenFor, tokenForAddress } from '../../proxy/find-token.js';
import { parseServerUrl, requireSafeTransport } from '../../proxy/surface-url.js';
import type { ProxyCredentials } from '../../proxy/upstream.js';
import type { CommonOptions } from '../command-options.js';

export interface ServerAddress {
  /** Routes are below it. */
  readonly url: URL;
  readonly graph: string;
  readonly credentials: ProxyCredentials;
}

/** A URL, or the name of a server under `servers:`. */
export async function resolveServerAddress(given: string, options: CommonOptions): Promise<ServerAddress> {
  const [flag, variable] = [flagLayer(options, ''), environmentLayer(process.env, '')];
  const local = (['file', 'store', 'schemas', 'gateSchema'] as const).find(
    (flag) => options[flag] !== undefined,
  );
  if (local !== undefined)
    throw new TrellisError('USAGE', `--url and ${flag.nameOf(local)} are both given.`, {
      hint: 'Give one of them: a server has its own store and settings.',
    });
  const { address, credentials } = await findAddress(given, options);
  const url = parseServerUrl(address);
  requireSafeTransport(url, credentials, options.insecure === true);
  const [, base = '', inPath] =
    /^(.*?)(?:\/graphs\/([^/]+)(?:\/[^/]+)?)?(?:\/mcp)?\/*$/.exec(url.pathname) ?? [];
  url.pathname = base;
  url.search = '';
  const graph =
    firstSetting([flag], 'graph')?.value ??
    (inPath === undefined ? firstSetting([variable], 'graph')?.value : decodeURIComponent(inPath)) ??
    defaultGraph;
  return { url, graph, credentials };
}

async function findAddress(given: string, { config }: CommonOptions) {
  if (/[:/]/.test(given)) return { address: given, credentials: tokenForAddress(process.env) };
  const server = await findServer(given, { config });
  const credentials = await tokenFor(server, process.env, credentialsPath(process.env));
  return { address: server.address, credentials };
}
