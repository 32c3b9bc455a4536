import type pg from 'pg';
import { TrellisError } from '../../model/error.js';
import { alterTables } from './alter-tables.js';
import { postgresSchemaName } from './pool.js';

/** `distributed`: by graph, over the nodes of a Citus cluster. `reference`: a copy on every node. */
export type TableLayout = 'local' | 'reference' | 'distributed';

export interface TablePlan {
  readonly table: string;
  readonly now: TableLayout;
  readonly wanted: Exclude<TableLayout, 'local'>;
}

/** Distributed tables have a column `graph`, and it is the first of every key; all others are small. */
export async function planDistribution(database: pg.Pool | pg.PoolClient): Promise<TablePlan[]> {
  const layouts = await tableLayouts(database);
  const { rows } = await database.query<{ table: string; has_graph: boolean }>(
    `select t.tablename as table, exists (select 1 from information_schema.columns c
        where c.table_schema = t.schemaname and c.table_name = t.tablename and c.column_name = 'graph') as has_graph
      from pg_catalog.pg_tables t where t.schemaname = $1 order by 2 desc, t.tablename <> 'branch', t.tablename`,
    [postgresSchemaName],
  );
  return rows.map(({ table, has_graph }) => ({
    ...{ table, now: layouts.get(table) ?? 'local', wanted: has_graph ? 'distributed' : 'reference' },
  }));
}

/** Which tables Citus knows, and how; empty if the database does not have the extension. */
export async function tableLayouts(
  database: pg.Pool | pg.PoolClient,
): Promise<ReadonlyMap<string, TableLayout>> {
  if (!(await hasCitus(database))) return new Map();
  const { rows } = await database.query<{ table: string; method: string }>(
    `select c.relname as table, p.partmethod::text as method from pg_catalog.pg_dist_partition p
      join pg_catalog.pg_class c on c.oid = p.logicalrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1`,
    [postgresSchemaName],
  );
  return new Map(rows.map(({ table, method }) => [table, method === 'h' ? 'distributed' : 'reference']));
}

export async function areTablesDistributed(database: pg.Pool | pg.PoolClient): Promise<boolean> {
  return (await tableLayouts(database)).get('branch') === 'distributed';
}

/** Distributes the tables of a database; the rows that are there move along, and writes wait meanwhile. */
export async function distributeTables(pool: pg.Pool, { dryRun = false } = {}): Promise<TablePlan[]> {
  if (!(await hasCitus(pool)))
    throw new TrellisError('STORE_UNAVAILABLE', 'This database does not have the extension citus.', {
      hint: 'Run "create extension citus" in it as a superuser, and add its workers with citus_add_node.',
    });
  if (dryRun) return planDistribution(pool);
  let plans: TablePlan[] = [];
  await alterTables(pool, async (client) => {
    plans = await distributeLocalTables(client);
  });
  return plans;
}

/** Where the tables are, in a few words. */
export async function describeLayout(pool: pg.Pool): Promise<string> {
  if (!(await areTablesDistributed(pool))) return 'in one database';
  const { rows } = await pool.query<{ nodes: number }>(
    'select count(*) as nodes from pg_catalog.pg_dist_node where isactive and shouldhaveshards',
  );
  return `distributed by graph over ${rows[0]?.nodes} nodes of a Citus cluster`;
}

/** In a cluster, new tables are distributed at once; those of a database that is not distributed stay as they are. */
export async function distributeNewTables(client: pg.PoolClient, isFirst: boolean): Promise<void> {
  if (!(await hasCitus(client))) return;
  if ((await areTablesDistributed(client)) || (isFirst && (await hasWorkers(client)))) {
    await distributeLocalTables(client);
  }
}

async function distributeLocalTables(client: pg.PoolClient): Promise<TablePlan[]> {
  const plans = await planDistribution(client);
  for (const { table, wanted } of plans.filter(({ now }) => now === 'local')) {
    const name = `${postgresSchemaName}.${table}`;
    if (wanted === 'reference') {
      await client.query('select create_reference_table($1)', [name]);
      continue;
    }
    const beside = table === 'branch' ? 'none' : `${postgresSchemaName}.branch`;
    await client.query("select create_distributed_table($1, 'graph', colocate_with => $2)", [name, beside]);
  }
  return plans;
}

async function hasCitus(database: pg.Pool | pg.PoolClient): Promise<boolean> {
  const { rowCount } = await database.query("select 1 from pg_catalog.pg_extension where extname = 'citus'");
  return rowCount === 1;
}

async function hasWorkers(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from pg_catalog.pg_dist_node where isactive and shouldhaveshards limit 1',
  );
  return rowCount === 1;
}
