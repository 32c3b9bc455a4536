import type { Executor, Fragment } from './executor.js';
import { selectNumber } from './rows.js';
import { joinSql, or, raw, sql } from './sql.js';

export interface Level {
  readonly branch: number;
  /** Rows born later are invisible. */
  readonly seq: number;
  /** The newest state: dead rows are gone, and `seq` need not be compared. */
  readonly atHead: boolean;
}

/** A branch and what it inherits, nearest first. It decides which rows are visible. */
export interface Lineage {
  readonly graph: number;
  readonly levels: readonly [Level, ...Level[]];
  /** The commit that set the schema in force, null if there is none; left out if unknown. */
  readonly schemaSeq?: number | null;
  /** The condition that a node, given as an expression, is visible; default: all are. */
  readonly isNodeVisible?: (node: string) => Fragment;
}

/** A lineage at the head stays valid after the next commit, so its `seq` may be out of date. */
export async function newestSeq(executor: Executor, graph: number, level: Level): Promise<number> {
  if (!level.atHead) return level.seq;
  return selectNumber(
    executor,
    sql`select b.head_seq as n from branch b where b.graph = ${graph} and b.id = ${level.branch}`,
  );
}

export type VersionedTable = 'node_row' | 'observation_row' | 'edge_row';

const nodeColumnsOf: Readonly<Record<VersionedTable, readonly string[]>> = {
  node_row: ['node'],
  observation_row: ['node'],
  edge_row: ['from_node', 'to_node'],
};

/** The condition that a row of `table`, under this alias, is visible. */
export function visible(table: VersionedTable, alias: string, lineage: Lineage): Fragment {
  const there = isLive(table, alias, lineage);
  const { isNodeVisible } = lineage;
  if (isNodeVisible === undefined) return there;
  const shown = nodeColumnsOf[table].map((column) => isNodeVisible(`${alias}.${column}`));
  return joinSql([there, ...shown], ' and ');
}

/** The row is on the lineage, alive, and not shadowed. */
function isLive(table: VersionedTable, alias: string, { graph, levels }: Lineage): Fragment {
  const [nearest] = levels;
  // By far the most common case, main at its head: every read builds it several times.
  if (levels.length === 1 && nearest.atHead)
    return {
      sql: `${alias}.graph = ? and ${alias}.branch = ? and ${alias}.died is null`,
      params: [graph, nearest.branch],
    };
  const row = raw(alias);
  const seen = levels.map((level, depth) => {
    const alive = level.atHead
      ? sql`${row}.branch = ${level.branch} and ${row}.died is null`
      : sql`${row}.branch = ${level.branch} and ${row}.born <= ${level.seq} and (${row}.died is null or ${row}.died > ${level.seq})`;
    return depth === 0 ? alive : sql`${alive} and not ${shadowed(graph, table, row, levels.slice(0, depth))}`;
  });
  return sql`${row}.graph = ${graph} and ${seen.length === 1 ? joinSql(seen, '') : sql`(${or(seen)})`}`;
}

function shadowed(graph: number, table: VersionedTable, row: Fragment, nearer: readonly Level[]): Fragment {
  const by = nearer.map(
    ({ branch, atHead, seq }) =>
      sql`s.branch = ${branch} and s.born <= ${atHead ? Number.MAX_SAFE_INTEGER : seq}`,
  );
  return sql`exists (select 1 from shadow s
    where s.graph = ${graph} and s.kind = ${raw(`'${table}'`)} and s.row = ${row}.row and (${or(by)}))`;
}
