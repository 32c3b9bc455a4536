import type pg from 'pg';
import { installedExtensions } from './extensions.js';

const consistencyQueries: readonly { readonly what: string; readonly sql: string }[] = [
  {
    what: 'live edges refer to a node that does not exist',
    sql: `select count(*) as n from edge_row e join branch b on b.graph = e.graph and b.id = e.branch and b.deleted_at is null
      where e.graph = $1 and e.died is null and exists
      (select 1 from unnest(array[e.from_node, e.to_node]) as u (node) where not exists
        (select 1 from node_row r where r.graph = $1 and r.node = u.node))`,
  },
  {
    what: 'live observations of nodes that were never made',
    // Of a deleted branch, gc keeps the newest row, but not its node.
    sql: `select count(*) as n from observation_row o join branch b on b.graph = o.graph and b.id = o.branch and b.deleted_at is null
      where o.graph = $1 and o.died is null and not exists
      (select 1 from node_row r where r.graph = $1 and r.node = o.node)`,
  },
  {
    what: 'branches whose head is not in the history',
    sql: `select count(*) as n from branch b where b.graph = $1 and b.head_commit is not null and not exists
      (select 1 from commit_log c where c.graph = $1 and c.id = b.head_commit)`,
  },
];

export async function checkPostgres(pool: pg.Pool): Promise<string[]> {
  const graphs = await pool.query<{ id: number }>('select id from graph order by id');
  const findings: string[] = [];
  for (const { what, sql } of consistencyQueries) {
    let count = 0;
    for (const { id } of graphs.rows) {
      const { rows } = await pool.query<{ n: number }>(sql, [id]);
      count += rows[0]?.n ?? 0;
    }
    if (count > 0) findings.push(`${count} ${what}`);
  }
  return findings;
}

const trigramAdvice =
  'pg_trgm is missing: substring search scans all rows. Create it with: create extension pg_trgm';
const vectorAdvice =
  'pgvector is missing, or older than 0.8: search by meaning keeps a copy of all vectors in memory. Create it with: create extension vector';

export async function extensionAdvice(pool: pg.Pool): Promise<string[]> {
  const { trigrams, vectors } = await installedExtensions(pool);
  return [...(trigrams ? [] : [trigramAdvice]), ...(vectors ? [] : [vectorAdvice])];
}
