import type { GraphCounts, TypeCounts } from '../read-results.js';
import type { Executor } from './executor.js';
import { type Lineage, type VersionedTable, visible } from './lineage.js';
import { readNumber, readText } from './rows.js';
import { raw, sql } from './sql.js';

/** Nodes that are more than the end of an edge. */
const isReal = ' and r.stub = 0';

/** How much a lineage sees of each kind. */
export async function countRows(executor: Executor, lineage: Lineage): Promise<GraphCounts> {
  const count = async (table: VersionedTable, more = '') => {
    const seen = visible(table, 'r', lineage);
    const [row] = await executor.all(
      sql`select count(*) as n from ${raw(table)} r where ${seen}${raw(more)}`,
    );
    return row === undefined ? 0 : readNumber(row, 'n');
  };
  return {
    nodes: await count('node_row', isReal),
    observations: await count('observation_row'),
    edges: await count('edge_row'),
  };
}

/** How many nodes and edges a lineage sees of each type. */
export async function countTypes(executor: Executor, lineage: Lineage): Promise<TypeCounts> {
  const count = async (table: 'node_row' | 'edge_row', more = '') => {
    const seen = visible(table, 'r', lineage);
    const rows = await executor.all(
      sql`select r.type, count(*) as n from ${raw(table)} r where ${seen}${raw(more)} group by r.type`,
    );
    return new Map(rows.map((row) => [readText(row, 'type'), readNumber(row, 'n')]));
  };
  return { nodes: await count('node_row', isReal), edges: await count('edge_row') };
}
