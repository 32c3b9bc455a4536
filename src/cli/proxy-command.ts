import type { Command } from 'commander';
import { credentialsPath, findServer } from '../config/find-server.js';
import { TrellisError } from '../model/error.js';
import { tokenFor, tokenForAddress } from '../proxy/find-token.js';
import { Relay } from '../proxy/relay.js';
import { requireSafeTransport, type ServerTarget, surfaceUrl } from '../proxy/surface-url.js';
import { Upstream } from '../proxy/upstream.js';
import { shutdownSignal } from '../server/shutdown-signal.js';
import { configOption } from './command-options.js';
import { note } from './print.js';

interface ProxyOptions extends ServerTarget {
  readonly url?: string;
  readonly server?: string;
  readonly insecure?: boolean;
  readonly config?: string;
}

const help = `
For clients that can only start programs. It ends when the client closes its end. Messages pass
unchanged; the server sees the token of the user who started this command.

Examples:
  $ claude mcp add memory -- trellis proxy --url http://127.0.0.1:8765
  $ trellis proxy --server team --graph work --surface memory
`;

export function define(command: Command): void {
  command
    .option('--url <address>', 'the URL of the server; its token is in TRELLIS_TOKEN')
    .option('--server <name>', 'a server by its name under servers: in the configuration')
    .option('--graph <name>', 'the graph to use (default: what the server shows at /mcp)')
    .option('--surface <name>', 'the set of tools of that graph (default: graph)')
    .option('--branch <name>', 'the branch to use (default: main)')
    .option('--workspace <name>', 'the graph to use, with the workspace surface')
    .option('--insecure', 'send a token over plain HTTP, where others may read it');
  configOption(command).addHelpText('after', help).action(run);
}

async function run(options: ProxyOptions): Promise<void> {
  const { url, credentials } = await resolveServer(options);
  requireSafeTransport(url, credentials, options.insecure === true);
  const { workspace } = options;
  const upstream = new Upstream({
    url,
    headers: workspace === undefined ? {} : { 'X-Memory-Workspace': workspace },
    credentials,
  });
  const shutdown = shutdownSignal();
  note(`passing messages to ${url}`);
  await new Relay({ upstream, stdin: process.stdin, stdout: process.stdout, note }).run(shutdown.received);
  shutdown.dispose();
}

async function resolveServer({ url, server, config, ...target }: ProxyOptions) {
  if (url !== undefined && server === undefined)
    return { url: surfaceUrl(url, target), credentials: tokenForAddress(process.env) };
  if (server === undefined || url !== undefined)
    throw new TrellisError('USAGE', 'Name the server with either --url or --server.', {
      hint: 'For example: trellis proxy --url http://127.0.0.1:8765',
    });
  const found = await findServer(server, { config });
  const address = surfaceUrl(found.address, target);
  return { url: address, credentials: await tokenFor(found, process.env, credentialsPath(process.env)) };
}
