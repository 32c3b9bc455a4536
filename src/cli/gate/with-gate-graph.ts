import {
  ensureConfiguredGraphs,
  openConfiguredStore,
  openExistingStore,
  requireGraph,
  withStore,
} from '../../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import type { Author } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { type CommonOptions, commandAuthor } from '../command-options.js';

export interface GateGraph {
  readonly graph: Graph;
  readonly author: Author;
}

/** Opens the graph whose gate registry a command reads or changes; only `list` needs it to exist. */
export async function withGateGraph<T>(
  options: CommonOptions,
  tool: `gate_schema_${'add' | 'remove' | 'list'}`,
  work: (on: GateGraph) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings(options);
  const { target } = settingsOfGraph(settings, settings.graph.value).gate;
  if (target.value !== undefined)
    throw new TrellisError('USAGE', `The gate reads its registry from ${target.value}, not from the graph.`, {
      hint: 'Change the nodes with label Schema there, or name another registry with --gate-schema.',
    });
  const isRead = tool === 'gate_schema_list';
  return withStore(
    (isRead ? openExistingStore : openConfiguredStore)(settings.location.value),
    async (store) => {
      if (!store.capabilities.rejections)
        throw new TrellisError('CAPABILITY_MISSING', 'A JSON lines file cannot hold a gate registry.', {
          hint: 'Import it into a database with: trellis import FILE --store trellis.db',
        });
      if (isRead) await requireGraph(store, settings.graph.value);
      else await ensureConfiguredGraphs(store, settings);
      const author = commandAuthor(options, tool);
      return await work({ graph: new Graph(store, settings.graph.value), author });
    },
  );
}

/** `a,b` and `a, b` are two names. */
export function parseList(given: string | undefined): string[] {
  return (given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
