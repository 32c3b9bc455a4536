import { localActor } from '../../access/actor.js';
import { loadSettings } from '../../config/load-settings.js';
import {
  ensureConfiguredGraphs,
  openConfiguredStore,
  openExistingStore,
  requireGraph,
} from '../../config/open-configured-store.js';
import { Graph } from '../../engine/graph.js';
import type { Author } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import type { CommonOptions } from '../command-options.js';

/** What a command that looks at, or changes, the schema of a graph works on. */
export interface GateGraph {
  readonly graph: Graph;
  readonly author: Author;
}

/** Opens the graph whose schema a command changes, or only looks at, and closes its store when the work is done. */
export async function withGateGraph<T>(
  options: CommonOptions,
  tool: 'schema add' | 'schema remove' | 'schema list',
  work: (on: GateGraph) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings(options);
  const isRead = tool === 'schema list';
  const store = await (isRead ? openExistingStore : openConfiguredStore)(settings.location.value);
  try {
    if (!store.capabilities.rejections) {
      throw new TrellisError('CAPABILITY_MISSING', 'A file of JSON lines cannot hold a schema of the gate.', {
        hint: 'Bring it into a database with: trellis import FILE --store trellis.db',
      });
    }
    if (isRead) await requireGraph(store, settings.graph.value);
    else await ensureConfiguredGraphs(store, settings);
    const author = { actor: localActor().id, tool };
    return await work({ graph: new Graph(store, settings.graph.value), author });
  } finally {
    await store.close();
  }
}

/** `a,b` and `a, b` are two names. */
export function parseList(given: string | undefined): string[] {
  return (given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
