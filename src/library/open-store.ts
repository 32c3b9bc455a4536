import { localActor } from '../access/actor.js';
import { openConfiguredStore, requireGraph } from '../config/open-configured-store.js';
import { resolveSettings } from '../config/settings.js';
import { Graph, type Transaction } from '../engine/graph.js';
import { defaultGraph } from '../model/graph-record.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import type { WriteResult } from '../store/write-result.js';

/** Which graph to use, and who writes to it. */
export interface GraphWish {
  /** Default: `main`. */
  readonly branch?: string;
  /** Who commits are made by; default: the user of this process. */
  readonly actor?: string;
  /** With what; default: `library`. */
  readonly tool?: string;
  /** Make the graph if it is not there; default: only `default` in a store that has no graph yet. */
  readonly create?: boolean;
}

/** One branch of a graph, bound to whoever writes: what `EngineTarget` and `GraphSource` take. */
export interface OpenGraph {
  readonly name: string;
  readonly branch: string;
  /** Runs a read on one consistent state. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Runs a write as one transaction and one commit: stored and durable when it resolves, and nothing of it if it rejects. */
  commit<T>(work: (tx: Transaction) => Promise<T>): Promise<WriteResult<T>>;
}

/** A store that a program has opened, and has to close. */
export class OpenStore {
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** A graph of the store; `GRAPH_NOT_FOUND` if it is not there. It needs no closing of its own. */
  async graph(name = defaultGraph, wish: GraphWish = {}): Promise<OpenGraph> {
    const { branch, actor = localActor().id, tool = 'library' } = wish;
    await this.#ensure(name, wish.create);
    const graph = new Graph(this.store, name, branch === undefined ? {} : { branch });
    return {
      name,
      branch: graph.branch,
      read: (work) => graph.read(work),
      commit: (work) => graph.commit({ actor, tool }, work),
    };
  }

  /** Waits for the writes in progress and lets go of the store; whatever is asked of it afterwards is `STOPPED`. */
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
 * Opens the store at a location, as the program does: a path that ends in `.db`, `.jsonl` or `.json`, or a `postgres://`
 * URL. A file that is not there is made. Its writes are held against the schemas of its graphs.
 */
export async function openStore(location: string): Promise<OpenStore> {
  const { location: found } = resolveSettings({ store: location }, {}, undefined);
  return new OpenStore(await openConfiguredStore(found.value));
}
