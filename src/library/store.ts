import { localActor } from '../access/actor.js';
import { openConfiguredStore, requireGraph } from '../config/open-configured-store.js';
import { resolveSettings } from '../config/settings.js';
import { Graph, type WritableGraph } from '../engine/graph.js';
import { checkCommitMessage } from '../model/commit.js';
import { defaultGraph } from '../model/graph-record.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';

export interface GraphOptions {
  /** Default: `main`. */
  readonly branch?: string;
  /** The author of commits; default: the user of this process. */
  readonly actor?: string;
  /** The tool named in commits; default: `library`. */
  readonly tool?: string;
  /** The message of every commit. */
  readonly message?: string;
  /** Create the graph if it is missing; default: only `default` in a store without graphs. */
  readonly create?: boolean;
}

/** One branch of a graph, bound to an author. `EngineTarget` and `GraphSource` take it. */
export interface OpenGraph extends WritableGraph {
  readonly name: string;
  readonly branch: string;
  /** Reads one consistent state. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
}

export class OpenStore {
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Throws `GRAPH_NOT_FOUND` if the graph is missing. */
  async graph(name = defaultGraph, options: GraphOptions = {}): Promise<OpenGraph> {
    const { branch, actor = localActor().id, tool = 'library', message } = options;
    if (message !== undefined) checkCommitMessage(message);
    await this.#ensure(name, options.create);
    const graph = new Graph(this.store, name, branch === undefined ? {} : { branch });
    return {
      name,
      branch: graph.branch,
      read: (work) => graph.read(work),
      commit: (work, options) => graph.commit({ actor, tool, message }, work, options),
    };
  }

  /** Waits for pending writes; later calls throw `STOPPED`. */
  close(): Promise<void> {
    return this.store.close();
  }

  async #ensure(name: string, create: boolean | undefined): Promise<void> {
    const names = (await this.store.graphs()).map((graph) => graph.name);
    if (names.includes(name)) return;
    if (create ?? (names.length === 0 && name === defaultGraph)) await this.store.createGraph(name);
    else await requireGraph(this.store, name);
  }
}

/**
 * Opens the store at a path that ends in `.db`, `.jsonl` or `.json` (created if missing), or at a `postgres://` URL.
 * Writes are validated against the schemas of its graphs.
 */
export async function openStore(location: string): Promise<OpenStore> {
  const { location: found } = resolveSettings({ store: location }, {}, undefined);
  return new OpenStore(await openConfiguredStore(found.value));
}
