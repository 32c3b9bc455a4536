import type { Node } from '../../../model/node.js';
import type { VersionedTable } from '../lineage.js';
import type { Versioned } from '../rows.js';
import { raw, sql } from '../sql.js';
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

/** Ends what a branch that inherits nothing shows of nodes, without having read their rows. */
export function retireNodes(
  { executor, dialect, lineage }: VisibleRows,
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
    sql`update node_row set died = ${seq} where graph = ${graph} and branch = ${levels[0].branch} and died is null and ${list}`,
  );
}
