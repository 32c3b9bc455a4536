import type { GraphCounts, TypeCounts } from '../read-results.js';
import type { ReadContext } from './dialect.js';
import type { Fragment } from './executor.js';
import { type Lineage, type VersionedTable, visible } from './lineage.js';
import { readNumber, readText, selectNumber } from './rows.js';
import { raw, sql } from './sql.js';

export async function countRows(context: ReadContext): Promise<GraphCounts> {
  return {
    nodes: await countVisible(context, 'node_row'),
    observations: await countVisible(context, 'observation_row'),
    edges: await countVisible(context, 'edge_row'),
  };
}

export function countVisible({ executor, lineage }: ReadContext, table: VersionedTable): Promise<number> {
  return selectNumber(executor, sql`select count(*) as n from ${realRows(table, lineage)}`);
}

/** Without nodes that exist only because an edge names them. */
function realRows(table: VersionedTable, lineage: Lineage): Fragment {
  const isReal = table === 'node_row' ? ' and r.stub = 0' : '';
  return sql`${raw(table)} r where ${visible(table, 'r', lineage)}${raw(isReal)}`;
}

export async function countTypes({ executor, lineage }: ReadContext): Promise<TypeCounts> {
  const count = async (table: 'node_row' | 'edge_row') => {
    const rows = await executor.all(
      sql`select r.type, count(*) as n from ${realRows(table, lineage)} group by r.type`,
    );
    return new Map(rows.map((row) => [readText(row, 'type'), readNumber(row, 'n')]));
  };
  return { nodes: await count('node_row'), edges: await count('edge_row') };
}
