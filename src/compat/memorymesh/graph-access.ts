import { localActor } from '../../access/actor.js';
import { ensureConfiguredGraphs, openConfiguredStore } from '../../config/open-configured-store.js';
import { isUrl } from '../../config/paths.js';
import { resolveSettings } from '../../config/settings.js';
import { Graph, type Transaction } from '../../engine/graph.js';
import { OpenStore } from '../../library/store.js';
import { TrellisError } from '../../model/error.js';
import { defaultGraph } from '../../model/graph-record.js';
import { hiddenRegistry } from '../../store/graph-targets.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import { LazyResource } from '../lazy-resource.js';
import { EventEmitter, warnOfListener } from './event-emitter.js';
import { PendingWrites } from './pending-writes.js';

/** The path of a file, a `postgres://` URL, or an open store, which stays the caller's to close. */
export type MemoryMeshGraphSource = string | Store | OpenStore;

interface Opened {
  readonly graph: Graph;
  close(): Promise<void>;
}

/** One graph, its events and its transaction, which the managers of an application share. */
export class GraphAccess {
  readonly events = new EventEmitter();
  readonly #source: MemoryMeshGraphSource;
  readonly #opened = new LazyResource(() => this.#start());
  #pending: PendingWrites | undefined;

  constructor(source: MemoryMeshGraphSource) {
    this.#source = source;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#pending === undefined
      ? (await this.#opened.get()).graph.read(work)
      : this.#pending.read(work);
  }

  /**
   * Writes between two events, such as `beforeAddNodes` and `afterAddNodes`. A listener of the first is awaited and
   * stops the write by throwing. Inside a transaction, the second event follows when that is committed.
   */
  async write(method: string, data: object, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    const event = method.charAt(0).toUpperCase() + method.slice(1);
    await this.events.emitAndWait(`before${event}`, data);
    const announce = () => this.emitAfter(`after${event}`, data);
    const pending = this.#pending;
    if (pending === undefined) {
      await (await this.#opened.get()).graph.write(authorOf(method), work);
      announce();
    } else {
      await pending.write(work);
      pending.afterCommit(announce);
    }
  }

  /** Reports what a listener throws: it cannot undo what has happened. */
  emitAfter(event: string, data: object): void {
    try {
      this.events.emit(event, data);
    } catch (error) {
      warnOfListener(event, error);
    }
  }

  async begin(): Promise<void> {
    const { graph } = await this.#opened.get();
    this.#pending = new PendingWrites(graph, authorOf('transaction'));
  }

  /** Ends the transaction even if its writes cannot be stored. */
  async commit(): Promise<void> {
    await this.#end().commit();
  }

  async rollback(): Promise<void> {
    await this.#end().idle();
  }

  async close(): Promise<void> {
    this.#pending = undefined;
    await (await this.#opened.release())?.close();
  }

  #end(): PendingWrites {
    const pending = this.#pending;
    if (pending === undefined) throw new TrellisError('INVALID_ARGUMENT', 'No transaction is in progress.');
    this.#pending = undefined;
    return pending;
  }

  async #start(): Promise<Opened> {
    const source = this.#source;
    if (typeof source === 'object') return onStore(source instanceof OpenStore ? source.store : source);
    const settings = resolveSettings(isUrl(source) ? { store: source } : { file: source }, {}, undefined);
    const store = await openConfiguredStore(settings.location.value, { newFileFormat: 'mesh' });
    await ensureConfiguredGraphs(store, settings);
    return {
      graph: new Graph(store, settings.graph.value, { registry: hiddenRegistry }),
      close: () => store.close(),
    };
  }
}

async function onStore(store: Store): Promise<Opened> {
  const graphs = await store.graphs();
  if (graphs.length === 0) await store.createGraph(defaultGraph);
  return { graph: new Graph(store, defaultGraph, { registry: hiddenRegistry }), close: async () => {} };
}

/** Managers of one application share a graph; a manager of its own opens one. */
export abstract class GraphManager {
  protected readonly graph: GraphAccess;

  constructor(graph: GraphAccess | MemoryMeshGraphSource) {
    this.graph = graph instanceof GraphAccess ? graph : new GraphAccess(graph);
  }

  /** Releases the file; a later call opens it again. */
  close(): Promise<void> {
    return this.graph.close();
  }
}

function authorOf(tool: string) {
  return { actor: localActor().id, tool };
}
