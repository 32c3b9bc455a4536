import type { Command } from 'commander';
import { openAccessControl } from '../access/open-access-control.js';
import { surfaceSettings } from '../config/graph-settings.js';
import { lineFormatForSurface, openConfiguredStore } from '../config/open-configured-store.js';
import { resolveServedGraphs, type ServedGraphs } from '../config/resolve-served-graphs.js';
import { loadSettings, type Settings, settingsOfGraph } from '../config/settings.js';
import { typedCommand } from '../install/own-command.js';
import { startHttpServer } from '../server/http/http-server.js';
import { isWildcardAddress } from '../server/http/listen-host.js';
import { logError, stderrLogger } from '../server/logger.js';
import { shutdownSignal } from '../server/shutdown-signal.js';
import { checkSurfaceName } from '../surfaces/surface-registry.js';
import {
  type CommonOptions,
  graphOption,
  jsonOption,
  locationOptions,
  searchFallbackOption,
  surfaceOptions,
} from './command-options.js';
import { requireFiles } from './configured-files/missing-files.js';
import { print } from './print.js';

const help = `
Serves the Model Context Protocol over HTTP at /mcp, and health checks at /healthz. On Ctrl-C,
SIGTERM or SIGHUP it finishes the calls in progress and ends.

Examples:
  $ trellis serve
  $ trellis serve --port 9000 --store work.db
  $ trellis install claude-code --url http://127.0.0.1:8765
`;

export function define(command: Command): void {
  command
    .option(
      '--host <address>',
      'the address to listen on; must be local unless auth is configured (default: 127.0.0.1)',
    )
    .option('--port <number>', 'the port to listen on; 0 for any free one (default: 8765)');
  jsonOption(searchFallbackOption(surfaceOptions(graphOption(locationOptions(command)))))
    .addHelpText('after', help)
    .action(run);
}

async function run(options: CommonOptions): Promise<void> {
  await serve(await loadSettings(options), ({ url, location, served, settings }) => {
    const mcpUrl = `${url}/mcp`;
    if (options.json)
      print({
        url: mcpUrl,
        store: location,
        ...(served.servesAll ? { graphs: served.graphs } : served.first),
      });
    else print(welcome(mcpUrl, location, served, settings));
  });
}

interface RunningServer {
  /** Where clients reach it, without a path. */
  readonly url: string;
  readonly location: string;
  readonly served: ServedGraphs;
  readonly settings: Settings;
}

/** Serves a store until a signal ends it. */
export async function serve(settings: Settings, announce: (server: RunningServer) => void): Promise<void> {
  const { host, port, server: own } = settings;
  checkSurfaceName(settings.surface.value);
  await requireFiles(settings, ['tokens', 'policy', 'schema']);
  // All of it in one format, so that programs can read it.
  const log = stderrLogger(own.log);
  const warn = (message: string) => log.warn(message);
  const shutdown = shutdownSignal();
  const store = await openConfiguredStore(settings.location.value, {
    newFileFormat: lineFormatForSurface(settings.surface.value),
    startsReadersEarly: true,
    warn,
  });
  try {
    const served = await resolveServedGraphs(store, settings);
    const server = await startHttpServer({
      store,
      root: served.servesAll ? 'server' : served.first,
      access: own.access === undefined ? undefined : await openAccessControl(own.access, { warn }),
      publicUrl: own.publicUrl,
      allowed: own.allowed,
      limits: own.limits,
      log,
      warn,
      report: (error) => logError(log, error),
      host: host.value,
      port: port.value,
      settings: (name) => surfaceSettings(settingsOfGraph(settings, name)),
    });
    const url = own.publicUrl?.replace(/\/$/, '') ?? server.url;
    announce({ url, location: store.location, served, settings });
    await shutdown.received;
    await server.close();
  } finally {
    shutdown.dispose();
    await store.close();
  }
}

function welcome(url: string, location: string, served: ServedGraphs, settings: Settings): string {
  const { host, server } = settings;
  const { servesAll, first, graphs } = served;
  const data = servesAll ? `graphs ${listed(graphs)}, each at /graphs/NAME/mcp` : `graph ${first.graph}`;
  const guarded = server.access !== undefined;
  const notes = [
    ...(guarded ? [`Clients need a token: ${tokenHint(settings)}`] : []),
    ...(isWildcardAddress(host.value) && server.publicUrl === undefined
      ? ['For clients on other machines, set server.public_url to the address they use.']
      : []),
  ];
  const address = servesAll ? graphUrl(first, url) : url;
  return `Trellis is listening on ${url}
${[`The data is in ${location}, ${data}`, `To look at it, open ${url.replace(/mcp$/, '')}`, ...notes].join('\n')}

To add it to Claude Code:
  claude mcp add --scope user --transport http trellis ${address}${guarded ? ' --header "Authorization: Bearer TOKEN"' : ''}

To add it to Cursor, VS Code, Codex and others (trellis install --list names them):
  ${guarded ? `see docs/clients.md: they need the header "Authorization: Bearer TOKEN"` : typedCommand(['install', 'cursor', '--url', address])}

Press Ctrl-C to stop.`;
}

/** The command names the configuration, so that it writes this server's file. */
function tokenHint({ config, server }: Settings): string {
  const { tokens, oidc } = server.access ?? {};
  if (tokens !== undefined && 'env' in tokens) return `one of those in ${tokens.env}`;
  if (tokens === undefined) return `one of ${oidc?.issuer ?? 'the identity provider'}`;
  const words = ['token', 'create', '--actor', 'NAME'];
  return typedCommand([...words, ...(config.value === undefined ? [] : ['--config', config.value])]);
}

/** With several graphs, `/mcp` has only the tools of the server. */
function graphUrl({ graph, surface }: ServedGraphs['first'], url: string): string {
  return `${url.replace(/mcp$/, '')}graphs/${encodeURIComponent(graph)}/${surface}/mcp`;
}

const maxNames = 10;

function listed(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
