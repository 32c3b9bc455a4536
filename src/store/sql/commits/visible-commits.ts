import type { CommitPage } from '../../read-requests.js';
import type { CommitSummary } from '../../read-results.js';
import type { ReadContext } from '../dialect.js';
import { readCounts, readNumber, readText } from '../rows.js';
import { sql } from '../sql.js';

/** What the commits of a lineage changed, newest first; those a branch inherits are older than its own. */
export async function visibleCommits(
  { executor, lineage: { graph, levels } }: ReadContext,
  { before = Number.MAX_SAFE_INTEGER, limit }: CommitPage,
): Promise<CommitSummary[]> {
  const found: CommitSummary[] = [];
  for (const { branch, seq, atHead } of levels) {
    const rows = await executor.all(
      sql`select c.id, c.seq, c.time, c.counts from commit_log c
        where c.graph = ${graph} and c.branch = ${branch} and c.seq < ${before} and c.seq <= ${atHead ? Number.MAX_SAFE_INTEGER : seq} order by c.seq desc limit ${limit - found.length}`,
    );
    for (const row of rows)
      found.push({
        commit: readText(row, 'id'),
        seq: readNumber(row, 'seq'),
        time: readNumber(row, 'time'),
        counts: readCounts(row),
      });
    if (found.length >= limit) break;
  }
  return found;
}
