import type { Commit } from '../model/commit.js';
import type { EdgeSpec, NodeSpec } from './specs.js';
import type { EdgeUpdateSpec } from './write/update-edges.js';
import type { NodeUpdateSpec } from './write/update-nodes.js';

export interface GraphEvents {
  createNodes: { readonly nodes: readonly NodeSpec[] };
  createEdges: { readonly edges: readonly EdgeSpec[] };
  updateNodes: { readonly updates: readonly NodeUpdateSpec[] };
  updateEdges: { readonly updates: readonly EdgeUpdateSpec[] };
  addObservations: { readonly name: string; readonly texts: readonly string[] };
  deleteNodes: { readonly names: readonly string[] };
  deleteObservations: { readonly name: string; readonly texts: readonly string[] };
  deleteEdges: { readonly edges: readonly EdgeSpec[] };
}

export type EventKind = keyof GraphEvents;
type BeforeListener<K extends EventKind> = (event: GraphEvents[K]) => void;
type AfterListener<K extends EventKind> = (event: GraphEvents[K], commit: Commit) => void;
export type CommitListener = (commit: Commit) => void;

/**
 * A `before` listener that throws stops the write; an `after` listener is called once the write is durable, and its
 * errors are only reported.
 */
export class GraphEventEmitter {
  readonly #before = new Map<EventKind, Set<(event: never) => void>>();
  readonly #after = new Map<EventKind, Set<(event: never, commit: Commit) => void>>();
  readonly #committed = new Set<CommitListener>();
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  before<K extends EventKind>(kind: K, listener: BeforeListener<K>): () => void {
    return add(this.#before, kind, listener);
  }

  after<K extends EventKind>(kind: K, listener: AfterListener<K>): () => void {
    return add(this.#after, kind, listener);
  }

  /** Called once the commit is durable, after the listeners of its events. */
  onCommit(listener: CommitListener): () => void {
    this.#committed.add(listener);
    return () => this.#committed.delete(listener);
  }

  emitBefore<K extends EventKind>(kind: K, event: GraphEvents[K]): void {
    for (const listener of this.#before.get(kind) ?? []) (listener as BeforeListener<K>)(event);
  }

  emitAfter(happened: readonly PendingEvent[], commit: Commit): void {
    for (const { kind, event } of happened) {
      for (const listener of this.#after.get(kind) ?? []) {
        this.#guard(() => (listener as AfterListener<EventKind>)(event, commit));
      }
    }
    for (const listener of this.#committed) this.#guard(() => listener(commit));
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#report(error);
    }
  }
}

export interface PendingEvent {
  readonly kind: EventKind;
  readonly event: GraphEvents[EventKind];
}

function add<K, L>(listeners: Map<K, Set<L>>, kind: K, listener: L): () => void {
  const set = listeners.get(kind) ?? new Set<L>();
  listeners.set(kind, set.add(listener));
  return () => set.delete(listener);
}
