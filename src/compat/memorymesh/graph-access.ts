import { localActor } from '../../access/actor.js';
import { ensureConfiguredGraphs, openConfiguredStore } from '../../config/open-configured-store.js';
import { isUrl } from '../../config/paths.js';
import { resolveSettings } from '../../config/settings.js';
import { Graph, type Transaction } from '../../engine/graph.js';
import { OpenStore } from '../../library/open-store.js';
import { TrellisError } from '../../model/error.js';
import { defaultGraph } from '../../model/graph-record.js';
import { hiddenRegistry } from '../../store/graph-targets.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import { LazyResource } from '../lazy-resource.js';
import { EventEmitter, warnOfListener } from './event-emitter.js';
import { PendingWrites } from './pending-writes.js';

/** Where a graph is: the path of a file, a `postgres://` URL, or a store that is open already, which is not closed here. */
export type MemoryMeshGraphSource = string | Store | OpenStore;

interface Opened {
  readonly graph: Graph;
  close(): Promise<void>;
}

/** One graph, its events and its transaction: what the managers of an application share. */
export class GraphAccess {
  readonly events = new EventEmitter();
  readonly #source: MemoryMeshGraphSource;
  readonly #opened = new LazyResource(() => this.#start());
  #pending: PendingWrites | undefined;

  /** The file is opened, and made if need be, by the first call. */
  constructor(source: MemoryMeshGraphSource) {
    this.#source = source;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#pending === undefined
      ? (await this.#opened.get()).graph.read(work)
      : this.#pending.read(work);
  }

  async write<T>(method: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#pending !== undefined) return this.#pending.write(work);
    return (await this.#opened.get()).graph.write(authorOf(method), work);
  }

  /**
   * Does something between its `before…` and `after…` events. A listener before it is waited for, and what
   * it throws stops it; after it, what a listener throws is reported and undoes nothing. A write inside a transaction has its `after…` event when that is committed.
   */
  async announced<T>(
    event: string,
    { before, work, after }: { before: object; work: () => Promise<T>; after: (result: T) => object },
    isRead = false,
  ): Promise<T> {
    await this.events.emitAndWait(`before${event}`, before);
    const pending = this.#pending;
    const result = await work();
    const announce = () => this.emitAfter(`after${event}`, after(result));
    if (pending === undefined || isRead) announce();
    else pending.afterwards(announce);
    return result;
  }

  /** Tells of what has happened; a listener cannot undo it. */
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

  /** Makes the transaction's writes durable; if that fails, none of them are, and it is over all the same. */
  async commit(): Promise<void> {
    const pending = this.#end();
    await pending.commit();
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
    if (typeof this.#source === 'object')
      return onStore(this.#source instanceof OpenStore ? this.#source.store : this.#source);
    const settings = resolveSettings(
      isUrl(this.#source) ? { store: this.#source } : { file: this.#source },
      {},
      undefined,
    );
    const store = await openConfiguredStore(settings.location.value, { newFileFormat: 'mesh' });
    await ensureConfiguredGraphs(store, settings);
    return {
      graph: new Graph(store, settings.graph.value, { registry: hiddenRegistry }),
      close: () => store.close(),
    };
  }
}

/** A store that somebody else opened stays theirs to close. */
async function onStore(store: Store): Promise<Opened> {
  const graphs = await store.graphs();
  if (graphs.length === 0) await store.createGraph(defaultGraph);
  return { graph: new Graph(store, defaultGraph, { registry: hiddenRegistry }), close: async () => {} };
}

function authorOf(tool: string) {
  return { actor: localActor().id, tool };
}
