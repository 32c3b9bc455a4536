import type { Node } from '../../../model/node.js';
import type { ColumnType } from '../dialect.js';
import type { SqlRow, SqlValue } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import type { Versioned } from '../rows.js';
import { and, raw, sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';

/** Ends rows that a branch shows: its own die, inherited ones are shadowed. */
export function retireRows(
  { executor, dialect, lineage }: VisibleRows,
  table: VersionedTable,
  rows: readonly Versioned[],
  seq: number,
): void {
  if (rows.length === 0) return;
  const { graph } = lineage;
  const [{ branch }] = lineage.levels;
  const own = rows.filter((row) => row.branch === branch).map(({ row }) => row);
  if (own.length > 0) {
    const list = dialect.inList('row', 'integer', own);
    executor.run(sql`update ${raw(table)} set died = ${seq} where graph = ${graph} and ${list}`);
  }
  const inherited = rows.filter((row) => row.branch !== branch);
  executor.insert(
    'shadow',
    ['graph', 'kind', 'row', 'branch', 'born'],
    inherited.map(({ row }) => [graph, table, row, branch, seq]),
  );
}

/** Whether all that the branch shows are rows of its own, which can be ended without having read them. */
export function inheritsNothing({ lineage }: VisibleRows): boolean {
  return lineage.levels.length === 1;
}

/** Ends the rows, or the observations, of nodes on a branch that inherits nothing. */
export function retireNodes(
  { executor, dialect, lineage }: VisibleRows,
  table: 'node_row' | 'observation_row',
  nodes: readonly Pick<Node, 'id'>[],
  seq: number,
): void {
  if (nodes.length === 0) return;
  const { graph, levels } = lineage;
  const list = dialect.inList(
    'node',
    'integer',
    nodes.map(({ id }) => id),
  );
  executor.run(
    sql`update ${raw(table)} set died = ${seq} where graph = ${graph} and branch = ${levels[0].branch} and died is null and ${list}`,
  );
}

/** Ends what a branch that inherits nothing shows at these keys, and returns the rows: reading them first would take longer. */
export function retireAt(
  { executor, dialect, lineage }: VisibleRows,
  table: VersionedTable,
  columns: Readonly<Record<string, ColumnType>>,
  keys: readonly (readonly SqlValue[])[],
  seq: number,
): Promise<SqlRow[]> {
  const { graph, levels } = lineage;
  const names = Object.keys(columns);
  // Other names, so that only one of both tables has the columns that are returned.
  const wanted = Object.fromEntries(Object.entries(columns).map(([name, type]) => [`wanted_${name}`, type]));
  const isWanted = and(names.map((name) => raw(`r.${name} = t.wanted_${name}`)));
  return executor.all(
    sql`update ${raw(table)} as r set died = ${seq} from ${dialect.tuples(wanted, keys)} t
      where r.graph = ${graph} and r.branch = ${levels[0].branch} and r.died is null and ${isWanted}
      returning row, ${raw(names.join(', '))}`,
  );
}
