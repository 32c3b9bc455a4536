import type { Command } from 'commander';
import { openAccess } from '../access/open-access.js';
import { surfaceSettings } from '../config/graph-settings.js';
import { loadSettings } from '../config/load-settings.js';
import { ensureGraphs, newFileFormat, openLocation } from '../config/open-location.js';
import { type Settings, settingsOfGraph } from '../config/settings.js';
import { startHttpServer } from '../server/http/http.js';
import { stderrLog } from '../server/log.js';
import { untilAskedToEnd } from '../server/signals.js';
import { warnOnStderr } from '../store/options.js';
import { checkSurfaceName } from '../surfaces/registry.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions, surfaceOptions } from './options.js';
import { print } from './print.js';

export function define(command: Command): void {
  command
    .option(
      '--host <address>',
      'where to listen; an address of this machine, unless auth is configured (default: 127.0.0.1)',
    )
    .option('--port <number>', 'on which port; 0 takes any free one (default: 8765)');
  jsonOption(surfaceOptions(graphOption(locationOptions(command))))
    .addHelpText(
      'after',
      `
Serves the Model Context Protocol over HTTP at /mcp, and liveness at /healthz, until it is asked to end
(Ctrl-C, SIGTERM or SIGHUP), when it finishes the calls in progress.

Examples:
  $ trellis serve
  $ trellis serve --port 9000 --store work.db
  $ claude mcp add --transport http trellis http://127.0.0.1:8765/mcp
`,
    )
    .action(run);
}

async function run(options: CommonOptions): Promise<void> {
  const settings = await loadSettings(options);
  const { graph, surface, host, port, server: own } = settings;
  checkSurfaceName(surface.value);
  const end = untilAskedToEnd();
  const store = await openLocation(settings.location.value, {
    newFileFormat: newFileFormat(settings.surface.value),
  });
  try {
    await ensureGraphs(store, settings);
    const server = await startHttpServer({
      store,
      root: settings.several ? 'server' : { graph: graph.value, surface: surface.value },
      access: own.access === undefined ? undefined : await openAccess(own.access, { warn: warnOnStderr }),
      publicUrl: own.publicUrl,
      allowed: own.allowed,
      limits: own.limits,
      log: stderrLog(own.log),
      host: host.value,
      port: port.value,
      settings: (name) => surfaceSettings(settingsOfGraph(settings, name)),
    });
    const url = `${own.publicUrl?.replace(/\/$/, '') ?? server.url}/mcp`;
    const what = settings.several ? { graphs: [...settings.graphs.keys()] } : shown(settings);
    if (options.json) print({ url, store: store.location, ...what });
    else print(welcome(url, store.location, settings));
    await end.asked;
    await server.close();
  } finally {
    end.forget();
    await store.close();
  }
}

function shown({ graph, surface }: Settings): { graph: string; surface: string } {
  return { graph: graph.value, surface: surface.value };
}

function welcome(url: string, location: string, settings: Settings): string {
  const { several, graph, graphs, server } = settings;
  const data = several
    ? `graphs ${[...graphs.keys()].join(', ')}, each at /graphs/NAME/mcp`
    : `graph ${graph.value}`;
  const guarded = server.access !== undefined;
  const access = guarded ? '\nClients need a token: trellis token create --actor NAME' : '';
  const address = several ? addressOfGraph(url, settings) : url;
  const entry = {
    type: 'http',
    url: address,
    ...(guarded ? { headers: { Authorization: 'Bearer TOKEN' } } : {}),
  };
  return `Trellis is listening on ${url}
The data is in ${location}, ${data}${access}

To add it to Claude Code:
  claude mcp add --transport http trellis ${address}${guarded ? ' --header "Authorization: Bearer TOKEN"' : ''}

To any other client, in its configuration:
  ${onOneLine({ mcpServers: { trellis: entry } })}

Press Ctrl-C to stop.`;
}

/** Where the first graph is shown by its own surface: with several graphs, `/mcp` has only the tools of the server. */
function addressOfGraph(url: string, settings: Settings): string {
  const name = settings.graph.value;
  const surface = settingsOfGraph(settings, name).surface.value;
  return `${url.replace(/mcp$/, '')}graphs/${encodeURIComponent(name)}/${surface}/mcp`;
}

/** JSON with spaces between its parts, as people write it. */
function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${onOneLine(part)}`);
  return `{ ${parts.join(', ')} }`;
}
