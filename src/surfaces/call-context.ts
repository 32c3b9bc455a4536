import type { Actor } from '../access/actor.js';
import type { PermissionCheck } from '../access/permission.js';
import type { Graph, Transaction, WritableGraph } from '../engine/graph.js';
import type { GraphHistory } from '../engine/history/graph-history.js';
import { type Author, authorOf } from '../model/commit.js';
import type { RedactableText, TrellisError } from '../model/error.js';
import { publicError } from '../model/public-error.js';
import { hiddenRegistry, type RegistryAccess } from '../store/graph-targets.js';
import type { ReadOptions } from '../store/read-options.js';
import type { Reader } from '../store/reader.js';
import type { RequestContext, ServerInfo } from './request-context.js';

/** The graph as a tool sees it: bound to the author of its writes. */
export interface BoundGraph extends WritableGraph {
  readonly name: string;
  readonly branch: string;
  on(branch: string): BoundGraph;
  /** The same branch; a write is refused unless this commit is its head. */
  ifAt(commit: string | undefined): BoundGraph;
  /** A read that is not short ends with the call. */
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<ReadOptions, 'length'>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface CallContext {
  readonly graph: BoundGraph;
  /** Merges are stamped like writes. */
  readonly history: GraphHistory;
  readonly actor: Actor;
  readonly server: ServerInfo;
  /** For what shows only while the call runs; permissions that follow from the arguments are checked before. */
  readonly may: PermissionCheck;
  readonly redactor: Redactor;
  /** As in the commits of this call. */
  readonly author: Author;
  /** The same call, whose commits have a message. */
  withMessage(message: string | undefined): CallContext;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds until a read is cancelled. */
  remainingMs(): number;
  /** Aborted when the server shuts down: a call that only waits must end. */
  readonly stopping?: AbortSignal | undefined;
}

/** Keeps private texts from clients on other machines. */
export interface Redactor {
  /** For an error that becomes part of a result. */
  redactError(error: TrellisError): TrellisError;
  redactText(text: RedactableText): string;
}

/** Read the signal only when a read needs it: it is created on demand. */
export type CallLimits = Pick<ReadOptions, 'timeLimit' | 'signal'>;

/** Stamps every commit with the actor, the client and the tool. */
export function createCallContext(
  context: RequestContext,
  tool: { readonly name: string; readonly hidesRegistry?: boolean | undefined },
  bounds: CallLimits = {},
): CallContext {
  const { actor, client, surface } = context;
  const author = authorOf({ actor: actor.id, tool: tool.name, client });
  return bindCall(context, author, bounds, tool.hidesRegistry ?? surface.hidesRegistry ?? false);
}

function bindCall(
  context: RequestContext,
  author: Author,
  bounds: CallLimits,
  hidesRegistry: boolean,
): CallContext {
  const { graph, actor, server, may, clock, stopping } = context;
  const registryOn = registryAccess(context, hidesRegistry);
  const ends = performance.now() + (bounds.timeLimit ?? Number.POSITIVE_INFINITY);
  return {
    actor,
    server,
    may,
    stopping,
    redactor: {
      redactError: (error) => publicError(error, context),
      redactText: ({ message, publicMessage }) => (context.isRemote ? publicMessage : message),
    },
    get history() {
      return graph.history(author, { ...bounds, registryOn });
    },
    now: clock,
    remainingMs: () => ends - performance.now(),
    graph: bindGraph(graph, { author, bounds, registryOn }),
    author,
    withMessage: (message) => bindCall(context, authorOf({ ...author, message }), bounds, hidesRegistry),
  };
}

/** Surfaces hide the gate registry, or require `schema_apply` to change it. */
function registryAccess({ may }: RequestContext, isHidden: boolean): (branch: string) => RegistryAccess {
  if (isHidden) return () => hiddenRegistry;
  return (branch) => ({ mayChange: () => may([{ action: 'schema_apply', branch }]) });
}

interface GraphBinding {
  readonly author: Author;
  readonly bounds: CallLimits;
  readonly registryOn: (branch: string) => RegistryAccess;
  readonly ifCommit?: string | undefined;
}

function bindGraph(graph: Graph, binding: GraphBinding): BoundGraph {
  const { author, bounds, registryOn, ifCommit } = binding;
  const registry = registryOn(graph.branch);
  return {
    name: graph.name,
    branch: graph.branch,
    on: (branch) => bindGraph(graph.withBranch(branch), binding),
    ifAt: (commit) => bindGraph(graph, { ...binding, ifCommit: commit }),
    read: (work, options) =>
      graph.read(work, {
        ...{ length: options?.length, timeLimit: bounds.timeLimit, actor: author.actor, registry },
        get signal() {
          return bounds.signal;
        },
      }),
    write: (work) => graph.write(author, work, { registry, ifCommit }),
    commit: (work, options) => graph.commit(author, work, { ...options, registry, ifCommit }),
  };
}
