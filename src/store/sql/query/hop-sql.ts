import type { Hop } from '../../row-query.js';
import { raw, sql } from '../sql.js';
import type { QueryFragment } from './parameter-slots.js';
import type { SqlScope } from './sql-scope.js';

interface HopEnds {
  readonly edge: string;
  readonly near: string;
  readonly far: string;
}

/** The direction in which an edge is followed from the near end. */
function effectiveDirection({ direction }: Hop, reversed: boolean): Hop['direction'] {
  if (direction === 'both' || !reversed) return direction;
  return direction === 'out' ? 'in' : 'out';
}

/** Conditions: the edge leads from near to far, is no loop, and no other edge with its ends precedes it. */
export function edgeSql(
  scope: SqlScope,
  hop: Hop,
  reversed: boolean,
  { edge, near, far }: HopEnds,
): {
  readonly leads: QueryFragment;
  readonly elsewhere: QueryFragment;
  readonly firstOfItsEnds: QueryFragment;
} {
  const direction = effectiveDirection(hop, reversed);
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
    leads: sql`${edgeLeadsSql(direction, edge, near, far)} and ${ofType(edge)}`,
    elsewhere: raw(`${edge}.from_node <> ${edge}.to_node`),
    firstOfItsEnds: sql`(${raw(plain)}) or not exists
      (select 1 from edge_row ${raw(other)} where ${others} and ${ofType(other)})`,
  };
}

function edgeLeadsSql(direction: Hop['direction'], edge: string, near: string, far: string): QueryFragment {
  const out = `${edge}.from_node = ${near} and ${edge}.to_node = ${far}`;
  const into = `${edge}.to_node = ${near} and ${edge}.from_node = ${far}`;
  if (direction === 'both')
    return raw(
      `(${edge}.from_node = ${near} or ${edge}.to_node = ${near}) and ${far} = (case when ${edge}.from_node = ${near} then ${edge}.to_node else ${edge}.from_node end)`,
    );
  return raw(direction === 'out' ? out : into);
}

/**
 * A table of what lies from `min` to `max` steps away from each of the sources, as `source` and `node`: a node is as far
 * as the shortest way to it.
 */
export function reachSql(
  scope: SqlScope,
  hop: Hop,
  reversed: boolean,
  sources: QueryFragment,
): { readonly ctes: readonly QueryFragment[]; readonly table: string } {
  const direction = effectiveDirection(hop, reversed);
  const start = scope.uniqueName('l');
  const walk = scope.uniqueName('r');
  const edge = scope.uniqueName('e');
  const table = scope.uniqueName('h');
  const [near, far] =
    direction === 'both'
      ? [
          `(${edge}.from_node = ${walk}.node or ${edge}.to_node = ${walk}.node)`,
          `(case when ${edge}.from_node = ${walk}.node then ${edge}.to_node else ${edge}.from_node end)`,
        ]
      : direction === 'out'
        ? [`${edge}.from_node = ${walk}.node`, `${edge}.to_node`]
        : [`${edge}.to_node = ${walk}.node`, `${edge}.from_node`];
  const step = sql`select ${raw(walk)}.source, ${raw(far)}, ${raw(walk)}.depth + 1 from ${raw(walk)} cross join edge_row ${raw(edge)}
    where ${raw(walk)}.depth < ${hop.max} and ${raw(near)} and ${raw(far)} <> ${raw(walk)}.source
    and ${raw(edge)}.type = ${hop.edge} and (${scope.visible('edge_row', edge)})`;
  return {
    ctes: [
      sql`${raw(start)} as materialized (${sources})`,
      sql`${raw(walk)} (source, node, depth) as (select source, node, 0 from ${raw(start)} union ${step})`,
      sql`${raw(table)} as materialized (select source, node from ${raw(walk)} group by source, node
        having min(depth) >= ${hop.min})`,
    ],
    table,
  };
}
