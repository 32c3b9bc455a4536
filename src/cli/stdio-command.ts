import type { Command } from 'commander';
import { surfaceSettings } from '../config/graph-settings.js';
import {
  ensureConfiguredGraphs,
  lineFormatForSurface,
  openConfiguredStore,
  withStore,
} from '../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../config/settings.js';
import { requireBranch } from '../engine/history/resolve-ref.js';
import { serveStdio } from '../server/stdio/serve-stdio.js';
import { checkSurfaceName, surfaceNames } from '../surfaces/surface-registry.js';
import {
  branchOption,
  type CommonOptions,
  graphOption,
  locationOptions,
  searchFallbackOption,
  surfaceOptions,
} from './command-options.js';
import { requireFiles } from './configured-files/missing-files.js';
import { note } from './print.js';

const help = `
Clients start this command; it ends when the client closes its end. Standard output carries only the
protocol; standard error says where the data is. Any number of processes may share one store.

Examples:
  $ claude mcp add trellis -- trellis stdio
  $ claude mcp add trellis -- trellis stdio --file ~/memory.jsonl

  { "mcpServers": { "memory": { "command": "trellis", "args": ["stdio"] } } }
`;

export function define(command: Command): void {
  command.option(
    '--surface <name>',
    `the set of tools to offer: ${surfaceNames.join(', ')} (default: memory)`,
  );
  searchFallbackOption(surfaceOptions(branchOption(graphOption(locationOptions(command)))))
    .addHelpText('after', help)
    .action(run);
}

async function run(options: CommonOptions): Promise<void> {
  const settings = await loadSettings(options);
  checkSurfaceName(settings.surface.value);
  await requireFiles(settings, ['schema']);
  await withStore(
    openConfiguredStore(settings.location.value, {
      newFileFormat: lineFormatForSurface(settings.surface.value),
      startsReadersEarly: true,
    }),
    async (store) => {
      await ensureConfiguredGraphs(store, settings);
      const { branch } = options;
      if (branch !== undefined) await requireBranch(store, settings.graph.value, branch);
      const where = branch === undefined ? '' : `, branch ${branch}`;
      note(`the data is in ${store.location}, graph ${settings.graph.value}${where}`);
      await serveStdio({
        store,
        graph: settings.graph.value,
        branch,
        surface: settings.surface.value,
        readMs: settings.server.limits.readMs,
        settings: (graph) => surfaceSettings(settingsOfGraph(settings, graph)),
      });
    },
  );
}
