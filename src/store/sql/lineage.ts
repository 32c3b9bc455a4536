import type { Fragment, SqlParam, SqlValue } from './executor.js';

/** One branch of a lineage and how far it is seen. */
export interface Level {
  readonly branch: number;
  /** Rows born later are not seen. */
  readonly seq: number;
  /** The state is the branch's newest: what died is gone, and `seq` need not be compared. */
  readonly atHead: boolean;
}

/** A branch and what it inherits, nearest first: the whole of what decides which rows are seen. */
export interface Lineage {
  readonly graph: number;
  readonly levels: readonly [Level, ...Level[]];
  /** The commit that set the schema in force, null if there is none; left out where nobody has looked. */
  readonly schemaSeq?: number | null;
  /** The condition that a node, given as an expression, may be seen; left out, all may. */
  readonly isNodeVisible?: (node: string) => Fragment;
}

/** Tables whose rows are versioned. */
export type VersionedTable = 'node_row' | 'observation_row' | 'edge_row';

/** The columns of a table that say which nodes a row is about. */
const nodeColumnsOf: Readonly<Record<VersionedTable, readonly string[]>> = {
  node_row: ['node'],
  observation_row: ['node'],
  edge_row: ['from_node', 'to_node'],
};

/** The condition that a row of `table`, under this alias, is seen from the lineage. */
export function visible(table: VersionedTable, alias: string, lineage: Lineage): Fragment {
  const there = isLive(table, alias, lineage);
  const { isNodeVisible } = lineage;
  if (isNodeVisible === undefined) return there;
  const shown = nodeColumnsOf[table].map((column) => isNodeVisible(`${alias}.${column}`));
  return {
    sql: [there, ...shown].map(({ sql }) => sql).join(' and '),
    params: [there, ...shown].flatMap(({ params }) => params),
  };
}

/** The condition that the row is on the lineage, had not ended, and is not shadowed. */
function isLive(table: VersionedTable, alias: string, { graph, levels }: Lineage): Fragment {
  const [nearest] = levels;
  // By far the commonest: main at its head.
  if (levels.length === 1 && nearest.atHead)
    return {
      sql: `${alias}.graph = ? and ${alias}.branch = ? and ${alias}.died is null`,
      params: [graph, nearest.branch],
    };
  const sql: string[] = [];
  const params: SqlParam[] = [graph];
  for (const [depth, level] of levels.entries()) {
    const alive = level.atHead
      ? fragment(`${alias}.branch = ? and ${alias}.died is null`, [level.branch])
      : fragment(
          `${alias}.branch = ? and ${alias}.born <= ? and (${alias}.died is null or ${alias}.died > ?)`,
          [level.branch, level.seq, level.seq],
        );
    const hidden = shadowed(table, alias, levels.slice(0, depth));
    sql.push(hidden === null ? alive.sql : `${alive.sql} and not ${hidden.sql}`);
    params.push(...alive.params, ...(hidden?.params ?? []));
  }
  const seen = sql.length === 1 ? sql[0] : sql.map((level) => `(${level})`).join(' or ');
  return {
    sql: sql.length === 1 ? `${alias}.graph = ? and ${seen}` : `${alias}.graph = ? and (${seen})`,
    params,
  };
}

/** The condition that a nearer branch hides the row. */
function shadowed(table: VersionedTable, alias: string, nearer: readonly Level[]): Fragment | null {
  if (nearer.length === 0) return null;
  const by = nearer.map(() => '(s.branch = ? and s.born <= ?)').join(' or ');
  return fragment(
    `exists (select 1 from shadow s where s.graph = ${alias}.graph and s.kind = '${table}' and s.row = ${alias}.row and (${by}))`,
    nearer.flatMap((level) => [level.branch, level.atHead ? Number.MAX_SAFE_INTEGER : level.seq]),
  );
}

function fragment(sql: string, params: readonly SqlValue[]): Fragment {
  return { sql, params };
}
