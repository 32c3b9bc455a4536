import type { Hop } from '../../row-query.js';
import type { Fragment } from '../executor.js';
import type { Scope } from './scope.js';
import { bind, joined, raw, sql } from './sql.js';

/** The nodes of an edge in SQL: where it is entered, and where it leads. */
interface Ends {
  readonly edge: string;
  readonly near: string;
  readonly far: string;
}

/** Whether an edge is followed as it points, seen from the near end. */
function directionOf({ direction }: Hop, reversed: boolean): Hop['direction'] {
  if (direction === 'both' || !reversed) return direction;
  return direction === 'out' ? 'in' : 'out';
}

/** The conditions that an edge leads from one node to another, and that no other edge of the same ends comes before it. */
export function edgeSql(
  scope: Scope,
  hop: Hop,
  reversed: boolean,
  { edge, near, far }: Ends,
): { readonly leads: Fragment; readonly firstOfItsEnds: Fragment } {
  const direction = directionOf(hop, reversed);
  const other = scope.fresh('x');
  const ofType = (alias: string) =>
    sql`${alias}.type = ${bind(hop.edge)} and (${scope.seen('edge_row', alias)})`;
  const same = raw(`${other}.from_node = ${edge}.from_node and ${other}.to_node = ${edge}.to_node`);
  const opposite = raw(`${other}.from_node = ${edge}.to_node and ${other}.to_node = ${edge}.from_node`);
  const before = raw(`${other}.key < ${edge}.key`);
  const others =
    direction === 'both'
      ? // Those that lead away come before those that lead here.
        sql`((${same} and ${before}) or (${opposite} and ${edge}.from_node <> ${near}))`
      : sql`${same} and ${before}`;
  // An edge without a key, as most are, comes before those with one: so there is mostly nothing to look up.
  const plain = `${edge}.key = ''${direction === 'both' ? ` and ${edge}.from_node = ${near}` : ''}`;
  return {
    leads: sql`${leads(direction, edge, near, far)} and ${ofType(edge)}`,
    firstOfItsEnds: sql`${edge}.from_node <> ${edge}.to_node and ((${plain}) or not exists
      (select 1 from edge_row ${other} where ${others} and ${ofType(other)}))`,
  };
}

function leads(direction: Hop['direction'], edge: string, near: string, far: string): Fragment {
  const out = `${edge}.from_node = ${near} and ${edge}.to_node = ${far}`;
  const into = `${edge}.to_node = ${near} and ${edge}.from_node = ${far}`;
  if (direction === 'both')
    return raw(
      `(${edge}.from_node = ${near} or ${edge}.to_node = ${near}) and ${far} = (case when ${edge}.from_node = ${near} then ${edge}.to_node else ${edge}.from_node end)`,
    );
  return raw(direction === 'out' ? out : into);
}

/**
 * Tables of what lies how far from each of the sources: layer by layer, a node being in the first that reaches it. The last
 * table has everything from `min` to `max` steps away, as `source` and `node`.
 */
export function reachSql(
  scope: Scope,
  hop: Hop,
  reversed: boolean,
  sources: Fragment,
): { readonly ctes: readonly Fragment[]; readonly table: string } {
  const direction = directionOf(hop, reversed);
  const layers = [scope.fresh('l')];
  const ctes = [sql`${layers[0] ?? ''} as materialized (${sources})`];
  for (let depth = 1; depth <= hop.max; depth++) {
    const [layer, before] = [scope.fresh('l'), layers.at(-1) ?? ''];
    const ways = (['out', 'in'] as const)
      .filter((way) => direction === 'both' || direction === way)
      .map((way) => {
        const edge = scope.fresh('e');
        const [near, far] = way === 'out' ? ['from_node', 'to_node'] : ['to_node', 'from_node'];
        return sql`select ${before}.source, ${edge}.${far} as node from ${before} cross join edge_row ${edge}
          where ${edge}.${near} = ${before}.node and ${edge}.type = ${bind(hop.edge)} and (${scope.seen('edge_row', edge)})`;
      });
    const known = layers.map((each) => ` except select source, node from ${each}`).join('');
    ctes.push(sql`${layer} as materialized (${joined(ways, ' union ')}${known})`);
    layers.push(layer);
  }
  const table = scope.fresh('h');
  const wanted = layers.slice(hop.min, hop.max + 1).map((each) => `select source, node from ${each}`);
  ctes.push(
    raw(
      `${table} as materialized (${wanted.length === 0 ? `select source, node from ${layers[0]} where false` : wanted.join(' union all ')})`,
    ),
  );
  return { ctes, table };
}
