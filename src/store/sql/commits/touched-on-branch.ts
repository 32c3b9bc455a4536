import type { ReadContext } from '../dialect.js';
import { readNumber } from '../rows.js';
import { sql } from '../sql.js';

/**
 * The nodes, or rows of edges, that commits of the nearest branch touched after a seq, for caches that follow it; undefined if
 * they are more than `most`, or not known any more.
 */
export async function touchedOnBranch(
  { executor, lineage: { graph, levels } }: Pick<ReadContext, 'executor' | 'lineage'>,
  kind: 'node' | 'edge',
  since: number,
  most = 10_000,
): Promise<readonly number[] | undefined> {
  const collected = await executor.all(
    sql`select 1 as found from commit_log c where c.graph = ${graph} and c.seq > ${since} and c.collected = 1 limit 1`,
  );
  if (collected.length > 0) return undefined;
  const touched = await executor.all(
    sql`select distinct t.ref from touched t where t.graph = ${graph} and t.branch = ${levels[0].branch}
      and t.seq > ${since} and t.kind = ${kind} limit ${most + 1}`,
  );
  return touched.length > most ? undefined : touched.map((row) => readNumber(row, 'ref'));
}
