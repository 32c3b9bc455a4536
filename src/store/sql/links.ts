import type { NodeId } from '../../model/node.js';
import type { Link } from '../read-results.js';
import type { Dialect, ReadContext } from './dialect.js';
import type { Fragment } from './executor.js';
import { visible } from './lineage.js';
import { readNumber } from './rows.js';
import { and, joinSql, sql } from './sql.js';

/** Which nodes the edges of these nodes connect them with: the ends alone, which is all that a search for a way needs. */
export async function linksOf(
  { executor, dialect, lineage }: ReadContext,
  ids: readonly NodeId[],
): Promise<Link[]> {
  if (ids.length === 0) return [];
  const ends = ['r.from_node', 'r.to_node'].map((end): Fragment => {
    const where = and([visible('edge_row', 'r', lineage), dialect.inList(end, 'integer', ids)]);
    return sql`select r.from_node, r.to_node from edge_row r where ${where}`;
  });
  // A union drops what both halves find, and parallel edges.
  const rows = await executor.all(joinSql(ends, ' union '));
  return rows.map((row) => ({ from: readNumber(row, 'from_node'), to: readNumber(row, 'to_node') }));
}

/** The condition that both ends of edge `r` are among the nodes. */
export function bothEndsAmong(dialect: Dialect, ids: readonly NodeId[]): Fragment {
  return and([
    dialect.inList('r.from_node', 'integer', ids),
    // Not a plain column: looked up by index, every pair of nodes would be a look-up of its own.
    dialect.inList('r.to_node + 0', 'integer', ids),
  ]);
}
