import type { DatedChanges } from '../../answers.js';
import type { CommitPage } from '../../questions.js';
import type { Executor } from '../executor.js';
import type { Lineage } from '../lineage.js';
import { integer, readCounts, text } from '../rows.js';

/** What the commits of a lineage changed, newest first; those a branch inherits are older than its own. */
export async function commitsSeen(
  executor: Executor,
  { graph, levels }: Lineage,
  { before = Number.MAX_SAFE_INTEGER, limit }: CommitPage,
): Promise<DatedChanges[]> {
  const found: DatedChanges[] = [];
  for (const { branch, seq, atHead } of levels) {
    const rows = await executor.all(
      `select c.id, c.seq, c.time, c.counts from commit_log c
        where c.graph = ? and c.branch = ? and c.seq < ? and c.seq <= ? order by c.seq desc limit ?`,
      [graph, branch, before, atHead ? Number.MAX_SAFE_INTEGER : seq, limit - found.length],
    );
    for (const row of rows) {
      const counts = readCounts(row);
      found.push({ commit: text(row, 'id'), seq: integer(row, 'seq'), time: integer(row, 'time'), counts });
    }
    if (found.length >= limit) break;
  }
  return found;
}
