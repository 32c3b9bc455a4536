import type { ReadContext } from '../dialect.js';
import { readNumber } from '../rows.js';
import { sql } from '../sql.js';
import type { CommitRange } from './ancestry.js';

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

/** The nodes that commits of these ranges touched; undefined if they are more than `most`, or not known any more. */
export async function nodesTouchedIn(
  { executor, lineage: { graph } }: Pick<ReadContext, 'executor' | 'lineage'>,
  ranges: readonly CommitRange[],
  most: number,
): Promise<readonly number[] | undefined> {
  const touched = new Set<number>();
  for (const { branch, after, upTo } of ranges) {
    if (upTo <= after) continue;
    const collected = await executor.all(
      sql`select 1 as found from commit_log c where c.graph = ${graph} and c.branch = ${branch}
        and c.seq > ${after} and c.seq <= ${upTo} and c.collected = 1 limit 1`,
    );
    if (collected.length > 0) return undefined;
    const rows = await executor.all(
      sql`select distinct t.ref from touched t where t.graph = ${graph} and t.branch = ${branch}
        and t.seq > ${after} and t.seq <= ${upTo} and t.kind = 'node' limit ${most + 1}`,
    );
    for (const row of rows) touched.add(readNumber(row, 'ref'));
    if (touched.size > most) return undefined;
  }
  return [...touched];
}
