import type { Actor } from '../access/actor.js';
import type { PermissionCheck } from '../access/permission.js';
import type { Graph, Transaction } from '../engine/graph.js';
import type { GraphHistory } from '../engine/history/graph-history.js';
import type { Author } from '../model/commit.js';
import type { RedactableText, TrellisError } from '../model/error.js';
import { publicError } from '../model/public-error.js';
import { hiddenRegistry, type RegistryAccess } from '../store/graph-targets.js';
import type { ReadOptions } from '../store/read-options.js';
import type { Reader } from '../store/reader.js';
import type { WriteResult } from '../store/write-result.js';
import type { RequestContext, ServerInfo } from './request-context.js';

/** The graph as a tool sees it: whoever calls is already known, so a write only says what to do. */
export interface BoundGraph {
  readonly name: string;
  readonly branch: string;
  /** The same graph on another branch. */
  on(branch: string): BoundGraph;
  /** One that is not short ends when the call does. */
  read<T>(work: (reader: Reader) => Promise<T>, options?: Pick<ReadOptions, 'length'>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same, answering with the commit too. */
  commit<T>(work: (tx: Transaction) => Promise<T>): Promise<WriteResult<T>>;
}

/** What a tool, a resource or a prompt is given when it is asked for. */
export interface CallContext {
  readonly graph: BoundGraph;
  /** The branches and commits of the graph; merges are stamped like writes. */
  readonly history: GraphHistory;
  readonly actor: Actor;
  readonly server: ServerInfo;
  /** What the caller may do, for what only shows while a call runs; what its arguments say is asked before. */
  readonly may: PermissionCheck;
  /** What may be said of this machine in an answer. */
  readonly redactor: Redactor;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds until the call is ended, if it only reads. */
  remainingMs(): number;
}

/** Keeps private texts from clients on other machines. */
export interface Redactor {
  /** For an error that becomes part of a result. */
  redactError(error: TrellisError): TrellisError;
  redactText(text: RedactableText): string;
}

/** What ends the reads of a call; the signal is asked for when a read needs it. */
export type CallLimits = Pick<ReadOptions, 'timeLimit' | 'signal'>;

/** Binds a graph to its caller, so that every commit is stamped with the actor and the tool. */
export function createCallContext(
  context: RequestContext,
  tool: string,
  bounds: CallLimits = {},
): CallContext {
  const { graph, actor, server, may, clock } = context;
  const author = { actor: actor.id, tool };
  const registryOn = registryAccess(context);
  const ends = performance.now() + (bounds.timeLimit ?? Number.POSITIVE_INFINITY);
  return {
    actor,
    server,
    may,
    redactor: redactorFor(context),
    get history() {
      return graph.history(author, { ...bounds, registryOn });
    },
    now: clock,
    remainingMs: () => ends - performance.now(),
    graph: bindGraph(graph, author, bounds, registryOn),
  };
}

/** How the caller meets the gate's registry on a branch: as a part of the graph that takes a right of its own, or not at all. */
function registryAccess({ surface, may }: RequestContext): (branch: string) => RegistryAccess {
  if (surface.hidesRegistry === true) return () => hiddenRegistry;
  return (branch) => ({ mayChange: () => may([{ action: 'schema_apply', branch }]) });
}

function redactorFor(context: RequestContext): Redactor {
  return {
    redactError: (error) => publicError(error, context),
    redactText: ({ message, publicMessage }) => (context.isRemote ? publicMessage : message),
  };
}

function bindGraph(
  graph: Graph,
  author: Author,
  bounds: CallLimits,
  registryOn: (branch: string) => RegistryAccess,
): BoundGraph {
  const registry = registryOn(graph.branch);
  return {
    name: graph.name,
    branch: graph.branch,
    on: (branch) => bindGraph(graph.withBranch(branch), author, bounds, registryOn),
    read: (work, options) =>
      graph.read(work, {
        ...{ length: options?.length, timeLimit: bounds.timeLimit, actor: author.actor, registry },
        get signal() {
          return bounds.signal;
        },
      }),
    write: (work) => graph.write(author, work, { registry }),
    commit: (work) => graph.commit(author, work, { registry }),
  };
}
