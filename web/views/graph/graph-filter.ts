import type { DrawnEdge, DrawnNode, LastChange } from './graph-model.js';

/** What a drawing leaves out; times are milliseconds since 1970. */
export interface GraphFilter {
  readonly types: ReadonlySet<string>;
  readonly relations: ReadonlySet<string>;
  /** By who changed a node or relation last. */
  readonly actors: ReadonlySet<string>;
  /** Changed earlier. */
  readonly since?: number | undefined;
  /** Changed then or later. */
  readonly until?: number | undefined;
}

const none: ReadonlySet<string> = new Set();
export const emptyFilter: GraphFilter = { types: none, relations: none, actors: none };

export function hidesNode(filter: GraphFilter, { type, lastChange }: DrawnNode): boolean {
  return filter.types.has(type) || hidesChange(filter, lastChange);
}

export function hidesEdge(filter: GraphFilter, { relation, lastChange }: DrawnEdge): boolean {
  return filter.relations.has(relation) || hidesChange(filter, lastChange);
}

function hidesChange({ actors, since, until }: GraphFilter, change: LastChange | undefined): boolean {
  if (change === undefined) return false;
  const { actor, time } = change;
  return actors.has(actor) || (since !== undefined && time < since) || (until !== undefined && time >= until);
}
