import type { Actor } from '../access/actor.js';
import type { Graph, Transaction } from '../engine/graph.js';
import type { Reader, Written } from '../store/contract.js';

/** The graph as a tool sees it: whoever calls is already known, so a write only says what to do. */
export interface BoundGraph {
  readonly name: string;
  readonly branch: string;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same, answering with the commit too. */
  commit<T>(work: (tx: Transaction) => Promise<T>): Promise<Written<T>>;
}

/** What a tool, a resource or a prompt is given when it is asked for. */
export interface Call {
  readonly graph: BoundGraph;
  readonly actor: Actor;
}

/** Binds a graph to its caller, so that every commit is stamped with the actor and the tool. */
export function callBy(graph: Graph, actor: Actor, tool: string): Call {
  const author = { actor: actor.id, tool };
  return {
    actor,
    graph: {
      name: graph.name,
      branch: graph.branch,
      read: (work) => graph.read(work),
      write: (work) => graph.write(author, work),
      commit: (work) => graph.commit(author, work),
    },
  };
}
