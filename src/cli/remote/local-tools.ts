import { localActor } from '../../access/actor.js';
import { surfaceSettings as toSurfaceSettings } from '../../config/graph-settings.js';
import {
  ensureConfiguredGraphs,
  openExistingStore,
  requireGraph,
  withStore,
  withWritableStore,
} from '../../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { requireBranch } from '../../engine/history/resolve-ref.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { noStoredQueries } from '../../query/stored/stored-queries.js';
import { lazyGraphSearch } from '../../search/lazy-graph-search.js';
import { localRequestContext } from '../../server/session.js';
import type { Store } from '../../store/store-contract.js';
import { warnOnStderr } from '../../store/store-options.js';
import { runTool } from '../../surfaces/dispatch.js';
import { graphSurface } from '../../surfaces/graph/graph-surface.js';
import { type CommonOptions, commandAuthor } from '../command-options.js';
import type { GraphTools, ToolUse } from './graph-tools.js';
import { isShaped } from './is-shaped.js';

/** Runs the tools behind the routes in this process. */
export async function withLocalTools<T>(
  options: CommonOptions,
  { writes = false }: ToolUse,
  work: (tools: GraphTools) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings(options);
  const { branch = mainBranch } = options;
  const name = settings.graph.value;
  const use = async (store: Store): Promise<T> => {
    await (writes ? ensureConfiguredGraphs(store, settings) : requireGraph(store, name));
    await requireBranch(store, name, branch);
    const surfaceSettings = toSurfaceSettings(settingsOfGraph(settings, name));
    const graph = new Graph(store, name, { branch });
    const search = lazyGraphSearch({ store, graph, settings: surfaceSettings, warn: warnOnStderr });
    const context = await localRequestContext({
      ...{ store, graph: name, branch, settings: () => surfaceSettings },
      surface: graphSurface(noStoredQueries, surfaceSettings, search),
      actor: { ...localActor(), id: commandAuthor(options, '').actor },
    });
    try {
      return await work({
        graph: name,
        async call(tool, args, shape) {
          const { structured } = await runTool(context, tool, args);
          if (isShaped(structured, shape)) return structured;
          throw new TrellisError('INTERNAL', `The answer of ${tool} has an unexpected shape.`);
        },
      });
    } finally {
      await search.close();
    }
  };
  const { value: location } = settings.location;
  return writes ? withWritableStore(location, use) : withStore(openExistingStore(location), use);
}
