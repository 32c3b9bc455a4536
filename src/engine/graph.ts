import type { Author, Commit } from '../model/commit.js';
import { mainBranch } from '../model/graph-record.js';
import type { GraphListener } from '../store/graph-change.js';
import type { RegistryAccess, WriteTarget } from '../store/graph-targets.js';
import type { ReadOptions } from '../store/read-options.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import type { WriteResult } from '../store/write-result.js';
import type { Writer } from '../store/writer.js';
import {
  type CommitListener,
  type EventKind,
  GraphEventEmitter,
  type GraphEvents,
  type PendingEvent,
} from './graph-events.js';
import { GraphHistory, type GraphHistoryOptions } from './history/graph-history.js';

/** One write: its rows, and the events that fire once it is durable. */
export interface Transaction {
  readonly rows: Writer;
  /** Calls the `before` listeners now, and the `after` listeners once the write is durable. */
  announce<K extends EventKind>(kind: K, event: GraphEvents[K]): void;
}

/** A branch of a graph, bound to an author. */
export interface WritableGraph {
  /** One transaction and one commit: durable when it resolves, and without effect if it rejects. */
  commit<T>(
    work: (tx: Transaction) => Promise<T>,
    options?: Pick<WriteTarget, 'rows'>,
  ): Promise<WriteResult<T>>;
}

interface GraphOptions {
  readonly branch?: string;
  /** Called with errors of `after` listeners. */
  readonly report?: (error: unknown) => void;
  /** Called for commits that a merge made on another branch. */
  readonly onOtherBranchCommit?: (commit: Commit) => void;
  /** The default access to the gate registry; left out, its nodes are like any others. */
  readonly registry?: RegistryAccess;
}

interface RegistryOption {
  readonly registry?: RegistryAccess | undefined;
}

type WriteOptions = Pick<WriteTarget, 'registry' | 'ifCommit' | 'rows'>;

/** One branch of one graph in one store. */
export class Graph {
  readonly name: string;
  readonly branch: string;
  readonly events: GraphEventEmitter;
  readonly #store: Store;
  readonly #anyCommitListeners = new Set<CommitListener>();
  readonly #options: GraphOptions;

  constructor(store: Store, name: string, options: GraphOptions = {}) {
    this.#store = store;
    this.name = name;
    this.#options = options;
    this.branch = options.branch ?? mainBranch;
    this.events = new GraphEventEmitter(options.report ?? (() => {}));
    this.events.onCommit((commit) => this.#notifyAnyCommit(commit));
  }

  /** The same graph on another branch. */
  withBranch(branch: string): Graph {
    if (branch === this.branch) return this;
    const onOtherBranchCommit = (commit: Commit) => this.#notifyOtherBranch(commit);
    const options = { ...this.#options, branch, onOtherBranchCommit };
    const other = new Graph(this.#store, this.name, options);
    other.events.onCommit(onOtherBranchCommit);
    return other;
  }

  /** See `Store.watch`. */
  watch(listener: GraphListener): Promise<() => void> {
    return this.#store.watch(this.name, listener);
  }

  /** Called for commits on any branch made through this object, once durable. */
  onAnyCommit(listener: CommitListener): () => void {
    this.#anyCommitListeners.add(listener);
    return () => this.#anyCommitListeners.delete(listener);
  }

  history(
    author: Author,
    options: Pick<GraphHistoryOptions, 'registryOn' | 'timeLimit' | 'signal'> = {},
  ): GraphHistory {
    const onCommit = (commit: Commit) => {
      if (commit.branch === this.branch) this.events.emitAfter([], commit);
      else this.#notifyOtherBranch(commit);
    };
    return new GraphHistory(this.#store, { ...options, graph: this.name, author, onCommit });
  }

  /** Runs a read on one consistent state. */
  read<T>(work: (reader: Reader) => Promise<T>, options: ReadOptions & RegistryOption = {}): Promise<T> {
    const { registry = this.#options.registry } = options;
    return this.#store.read({ graph: this.name, branch: this.branch, registry }, work, options);
  }

  /** Runs a write as one transaction and one commit, all or nothing. */
  async write<T>(author: Author, work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return (await this.commit(author, work, options)).result;
  }

  /** Also returns the commit; null if nothing changed. */
  async commit<T>(
    author: Author,
    work: (tx: Transaction) => Promise<T>,
    { registry = this.#options.registry, ifCommit, rows }: WriteOptions = {},
  ): Promise<WriteResult<T>> {
    let happened: PendingEvent[] = [];
    const target = { graph: this.name, branch: this.branch, registry, ifCommit, rows };
    const written = await this.#store.write(target, author, (writer) => {
      happened = [];
      return work({
        rows: writer,
        announce: (kind, event) => {
          this.events.emitBefore(kind, event);
          happened.push({ kind, event });
        },
      });
    });
    if (written.commit !== null) this.events.emitAfter(happened, written.commit);
    return written;
  }

  #notifyOtherBranch(commit: Commit): void {
    this.#options.onOtherBranchCommit?.(commit);
    this.#notifyAnyCommit(commit);
  }

  #notifyAnyCommit(commit: Commit): void {
    for (const listener of this.#anyCommitListeners) listener(commit);
  }
}
