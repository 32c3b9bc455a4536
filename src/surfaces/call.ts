import type { Actor } from '../access/actor.js';
import type { Graph, Transaction } from '../engine/graph.js';
import { type Clock, systemClock } from '../model/clock.js';
import type { Reader } from '../store/contract.js';

/** The graph as a tool sees it: whoever calls is already known, so a write only says what to do. */
export interface BoundGraph {
  readonly name: string;
  readonly branch: string;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** What a tool, a resource or a prompt is given when it is asked for. */
export interface Call {
  readonly graph: BoundGraph;
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Binds a graph to its caller, so that every commit is stamped with the actor and the tool. */
export function callBy(graph: Graph, actor: Actor, tool: string, clock: Clock = systemClock): Call {
  const author = { actor: actor.id, tool };
  return {
    actor,
    now: clock,
    graph: {
      name: graph.name,
      branch: graph.branch,
      read: (work) => graph.read(work),
      write: (work) => graph.write(author, work),
    },
  };
}
