import type { Commit } from '../../model/commit.js';
import { asTrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import type { GraphChange, GraphListener } from '../graph-change.js';

/** Calls `changed` when another process may have changed a graph, or any graph if none is named. Returns how to stop. */
export type WatchOthers = (changed: (graph?: string) => void) => () => void;

export interface GraphState {
  readonly id: number;
  readonly branches: readonly Branch[];
}

interface WatchedGraph {
  readonly listeners: Set<GraphListener>;
  /** As it was last reported; undefined until `ready`. */
  state: GraphState | undefined;
  readonly ready: Promise<void>;
  isStale: boolean;
  refreshing?: Promise<void> | undefined;
}

export interface GraphWatchersOptions {
  load(graph: string): Promise<GraphState>;
  readonly watchOthers: WatchOthers;
  /** Called with what a listener throws. */
  readonly report: (error: unknown) => void;
}

/** A refresh that failed is repeated after this many milliseconds. */
const retryMs = 500;

/** Reports commits of this process at once; what others did, by comparing a graph with how it was last seen. */
export class GraphWatchers {
  readonly #options: GraphWatchersOptions;
  readonly #graphs = new Map<string, WatchedGraph>();
  #stopOthers: (() => void) | undefined;

  constructor(options: GraphWatchersOptions) {
    this.#options = options;
  }

  /** Own commits are reported from the start, everything once the promise has resolved. */
  async watch(graph: string, listener: GraphListener): Promise<() => void> {
    this.#stopOthers ??= this.#options.watchOthers((changed) => this.#refreshSoon(changed));
    const watched = this.#graphs.get(graph) ?? this.#add(graph);
    // Wrapped, so that one function can listen twice.
    const own: GraphListener = (change) => listener(change);
    watched.listeners.add(own);
    const stop = () => {
      watched.listeners.delete(own);
      if (watched.listeners.size === 0) this.#remove(graph, watched);
    };
    try {
      await watched.ready;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** @param isOwn False for what was only read from a file. */
  committed(graph: string, commit: Commit, isOwn = true): void {
    const watched = this.#graphs.get(graph);
    if (watched === undefined) return;
    const setsSchema = commit.setsSchema === true;
    const branches = watched.state?.branches.map((branch) =>
      branch.name === commit.branch && branch.headSeq < commit.seq
        ? { ...branch, headSeq: commit.seq, ...(setsSchema ? { schemaSeq: commit.seq } : {}) }
        : branch,
    );
    if (watched.state !== undefined && branches !== undefined) watched.state = { ...watched.state, branches };
    this.#emit(watched, {
      ...{ kind: 'commits', branch: commit.branch, setsSchema },
      ...(isOwn ? { own: commit } : {}),
    });
  }

  /** Reports how a graph differs from how it was last seen. */
  refresh(graph: string): Promise<void> {
    const watched = this.#graphs.get(graph);
    if (watched === undefined) return Promise.resolve();
    watched.isStale = true;
    watched.refreshing ??= this.#refresh(graph, watched).finally(() => {
      watched.refreshing = undefined;
    });
    return watched.refreshing;
  }

  close(): void {
    this.#graphs.clear();
    this.#stopOthers?.();
    this.#stopOthers = undefined;
  }

  #add(graph: string): WatchedGraph {
    const loading = this.#options.load(graph);
    const watched: WatchedGraph = {
      listeners: new Set(),
      state: undefined,
      ready: loading.then((state) => {
        watched.state = state;
      }),
      isStale: false,
    };
    this.#graphs.set(graph, watched);
    return watched;
  }

  #remove(graph: string, watched: WatchedGraph): void {
    if (this.#graphs.get(graph) === watched) this.#graphs.delete(graph);
    if (this.#graphs.size === 0) this.close();
  }

  #refreshSoon(graph: string | undefined): void {
    for (const name of graph === undefined ? [...this.#graphs.keys()] : [graph]) void this.refresh(name);
  }

  async #refresh(graph: string, watched: WatchedGraph): Promise<void> {
    try {
      await watched.ready;
      while (watched.isStale && this.#graphs.get(graph) === watched) {
        watched.isStale = false;
        this.#compare(graph, watched, await this.#loadIfThere(graph));
      }
    } catch {
      // The store cannot be read now, or could not when the watch began; then nobody is left to retry for.
      setTimeout(() => this.#graphs.get(graph) === watched && void this.refresh(graph), retryMs).unref();
    }
  }

  async #loadIfThere(graph: string): Promise<GraphState | undefined> {
    try {
      const state = await this.#options.load(graph);
      // In a cluster, a graph that is being deleted may be seen when its branches are gone already.
      return state.branches.length === 0 ? undefined : state;
    } catch (error) {
      if (asTrellisError(error).code === 'GRAPH_NOT_FOUND') return undefined;
      throw error;
    }
  }

  #compare(graph: string, watched: WatchedGraph, now: GraphState | undefined): void {
    const before = watched.state;
    if (before === undefined) return;
    if (now?.id !== before.id) {
      this.#remove(graph, watched);
      this.#emit(watched, { kind: 'gone' });
      return;
    }
    const changes = differences(before, now);
    const last = new Map(before.branches.map((branch) => [branch.id, branch]));
    // A commit of this process may have been reported after the state was read.
    const newer = (branch: Branch) => {
      const known = last.get(branch.id);
      return known !== undefined && known.headSeq > branch.headSeq ? known : branch;
    };
    watched.state = { id: now.id, branches: now.branches.map(newer) };
    for (const change of changes) this.#emit(watched, change);
  }

  #emit({ listeners }: WatchedGraph, change: GraphChange): void {
    for (const listener of [...listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.#options.report(error);
      }
    }
  }
}

function differences(before: GraphState, now: GraphState): GraphChange[] {
  const last = new Map(before.branches.map((branch) => [branch.id, branch]));
  const there = new Set(now.branches.map(({ id }) => id));
  const deleted = before.branches.filter(({ id }) => !there.has(id));
  return [
    ...deleted.map(({ name }): GraphChange => ({ kind: 'branch-deleted', branch: name })),
    ...now.branches.flatMap(({ id, name, headSeq, schemaSeq }): GraphChange[] => {
      const known = last.get(id);
      if (known === undefined) return [{ kind: 'branch-created', branch: name }];
      if (headSeq <= known.headSeq) return [];
      return [{ kind: 'commits', branch: name, setsSchema: schemaSeq !== known.schemaSeq }];
    }),
  ];
}
