import type { Deadline } from '../bounds/deadline.js';
import type { Reader } from '../store/reader.js';

export interface EventSummary {
  readonly since: number;
  readonly creates: number;
  readonly updates: number;
  readonly deletes: number;
}

const batchSize = 1_000;

/** Sums the changes of all commits since a time; when time runs out, of the newest ones only. */
export async function eventSummary(
  reader: Reader,
  since: number,
  deadline: Deadline,
): Promise<{ readonly summary: EventSummary; readonly complete: boolean }> {
  const total = { creates: 0, updates: 0, deletes: 0 };
  for (let before: number | undefined; ; ) {
    const commits = await reader.commits({ before, limit: batchSize });
    const recent = commits.filter(({ time }) => time >= since);
    for (const { counts } of recent) {
      total.creates += counts.nodesCreated + counts.observationsAdded + counts.edgesCreated;
      total.updates += counts.nodesUpdated + counts.observationsUpdated + counts.edgesUpdated;
      total.deletes += counts.nodesDeleted + counts.observationsDeleted + counts.edgesDeleted;
    }
    before = commits.at(-1)?.seq;
    // The commits of a branch are ordered by time.
    const complete = commits.length < batchSize || recent.length < commits.length;
    if (complete || deadline.passed) return { summary: { since, ...total }, complete };
  }
}
