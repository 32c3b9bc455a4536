import type { Hop } from '../../row-query.js';
import { raw, sql } from '../sql.js';
import type { QueryFragment } from './parameter-slots.js';
import type { SqlScope } from './sql-scope.js';

interface HopEnds {
  readonly edge: string;
  readonly near: string;
  readonly far: string;
}

export function effectiveDirection({ direction }: Hop, reversed: boolean): Hop['direction'] {
  if (direction === 'both' || !reversed) return direction;
  return direction === 'out' ? 'in' : 'out';
}

/** Conditions: the edge leads from near to far, and no other edge with its ends precedes it. */
export function edgeSql(
  scope: SqlScope,
  hop: Hop,
  reversed: boolean,
  { edge, near, far }: HopEnds,
): {
  readonly leads: QueryFragment;
  readonly firstOfItsEnds: QueryFragment;
} {
  const direction = effectiveDirection(hop, reversed);
  const [isNear, farEnd] = edgeEnds(direction, edge, near);
  const other = scope.uniqueName('x');
  const ofType = (alias: string) =>
    sql`${raw(alias)}.type = ${hop.edge} and (${scope.visible('edge_row', alias)})`;
  const same = raw(`${other}.from_node = ${edge}.from_node and ${other}.to_node = ${edge}.to_node`);
  const opposite = raw(`${other}.from_node = ${edge}.to_node and ${other}.to_node = ${edge}.from_node`);
  const before = raw(`${other}.key < ${edge}.key`);
  const others =
    direction === 'both'
      ? // Those that lead away come before those that lead here.
        sql`((${same} and ${before}) or (${opposite} and ${raw(edge)}.from_node <> ${raw(near)}))`
      : sql`${same} and ${before}`;
  // Most edges have no key and precede those with one, so there is mostly nothing to look up.
  const plain = `${edge}.key = ''${direction === 'both' ? ` and ${edge}.from_node = ${near}` : ''}`;
  return {
    leads: sql`${raw(isNear)} and ${raw(farEnd)} = ${raw(far)} and ${ofType(edge)}`,
    firstOfItsEnds: sql`(${raw(plain)}) or not exists
      (select 1 from edge_row ${raw(other)} where ${others} and ${ofType(other)})`,
  };
}

/** The condition that an edge has a node at its near end, and the node at its far end. */
function edgeEnds(direction: Hop['direction'], edge: string, near: string): [isNear: string, far: string] {
  if (direction === 'out') return [`${edge}.from_node = ${near}`, `${edge}.to_node`];
  if (direction === 'in') return [`${edge}.to_node = ${near}`, `${edge}.from_node`];
  return [
    `(${edge}.from_node = ${near} or ${edge}.to_node = ${near})`,
    `(case when ${edge}.from_node = ${near} then ${edge}.to_node else ${edge}.from_node end)`,
  ];
}

/**
 * A table of what lies `min` to `max` steps away from each source, as `source` and `node`, by the shortest path. Only an edge
 * from the source to itself leads back to it, at the first step.
 */
export function reachSql(
  scope: SqlScope,
  hop: Hop,
  reversed: boolean,
  sources: QueryFragment,
): { readonly ctes: readonly QueryFragment[]; readonly walk: string; readonly table: string } {
  const direction = effectiveDirection(hop, reversed);
  const start = scope.uniqueName('l');
  const walk = scope.uniqueName('r');
  const edge = scope.uniqueName('e');
  const table = scope.uniqueName('h');
  const [isNear, far] = edgeEnds(direction, edge, `${walk}.node`);
  const step = sql`select ${raw(walk)}.source, ${raw(far)}, ${raw(walk)}.depth + 1 from ${raw(walk)} cross join edge_row ${raw(edge)}
    where ${raw(walk)}.depth < ${hop.max} and ${raw(isNear)}
    and (${raw(walk)}.depth = 0 or (${raw(walk)}.node <> ${raw(walk)}.source and ${raw(far)} <> ${raw(walk)}.source))
    and ${raw(edge)}.type = ${hop.edge} and (${scope.visible('edge_row', edge)})`;
  return {
    ctes: [
      sql`${raw(start)} as materialized (${sources})`,
      sql`${raw(walk)} (source, node, depth) as (select source, node, 0 from ${raw(start)} union ${step})`,
      sql`${raw(table)} as materialized (select source, node from ${raw(walk)} where depth >= ${Math.min(hop.min, 1)}
        group by source, node having min(depth) >= ${hop.min})`,
    ],
    walk,
    table,
  };
}
