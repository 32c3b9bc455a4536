import pg from 'pg';

/** The server of the run is the coordinator of a Citus cluster: every database is one of the whole cluster. */
export const isCitus = process.env['TRELLIS_TEST_CITUS'] === '1';

/** The servers of the run: one, or the coordinator of a cluster and its workers. */
export async function nodesOf(url: string): Promise<string[]> {
  return isCitus ? [url, ...(await workersOf(url))] : [url];
}

export async function workersOf(coordinator: string): Promise<string[]> {
  const nodes = await query<{ nodename: string; nodeport: number }>(
    coordinator,
    'select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeid',
  );
  return nodes.map(({ nodename, nodeport }) =>
    Object.assign(new URL(coordinator), { hostname: nodename, port: String(nodeport) }).toString(),
  );
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql, values ? [...values] : undefined);
    return rows;
  } finally {
    await client.end();
  }
}
