import type { Executor, SqlRow } from '../executor.js';
import { readNumber, readOptionalNumber } from '../rows.js';
import { sql } from '../sql.js';

/** A history: the newest commit of each branch that belongs to it. The older ones of that branch belong to it too. */
export type VersionVector = ReadonlyMap<number, number>;

export interface CommitPosition {
  readonly branch: number;
  readonly seq: number;
}

export function commitPosition(row: SqlRow): CommitPosition {
  return { branch: readNumber(row, 'branch'), seq: readNumber(row, 'seq') };
}

interface Merge extends CommitPosition {
  readonly merged: CommitPosition;
}

/** Where each branch was forked, and what was merged into it. */
export class Ancestry {
  readonly #forks: ReadonlyMap<number, CommitPosition | null>;
  readonly #merges: ReadonlyMap<number, readonly Merge[]>;

  private constructor(
    forks: ReadonlyMap<number, CommitPosition | null>,
    merges: ReadonlyMap<number, Merge[]>,
  ) {
    this.#forks = forks;
    this.#merges = merges;
  }

  /** Two statements: a row for each branch, deleted ones too, and one for each merge. */
  static async load(executor: Executor, graph: number): Promise<Ancestry> {
    const [branches, merges] = await Promise.all([
      executor.all(sql`select id, parent, fork_seq from branch where graph = ${graph}`),
      executor.all(
        sql`select m.branch, m.seq, p.branch as merged_branch, p.seq as merged_seq from commit_log m
          join commit_log p on p.graph = m.graph and p.id = m.merged_parent
          where m.graph = ${graph} and m.merged_parent is not null order by m.branch, m.seq`,
      ),
    ]);
    const forks = new Map<number, CommitPosition | null>();
    for (const row of branches) {
      const parent = readOptionalNumber(row, 'parent');
      const fork = parent === null ? null : { branch: parent, seq: readNumber(row, 'fork_seq') };
      forks.set(readNumber(row, 'id'), fork);
    }
    const byBranch = new Map<number, Merge[]>();
    for (const row of merges) {
      const branch = readNumber(row, 'branch');
      const merged = { branch: readNumber(row, 'merged_branch'), seq: readNumber(row, 'merged_seq') };
      const ofBranch = byBranch.get(branch) ?? [];
      byBranch.set(branch, ofBranch);
      ofBranch.push({ ...commitPosition(row), merged });
    }
    return new Ancestry(forks, byBranch);
  }

  versionVector(branch: number, seq: number): VersionVector {
    const reach = new Map<number, number>();
    const waiting: CommitPosition[] = seq === 0 ? [] : [{ branch, seq }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const known = reach.get(next.branch) ?? -1;
      if (known >= next.seq) continue;
      reach.set(next.branch, next.seq);
      const fork = this.#forks.get(next.branch);
      if (known === -1 && fork !== undefined && fork !== null) waiting.push(fork);
      for (const merge of this.#mergesBetween(next.branch, known, next.seq)) waiting.push(merge.merged);
    }
    return reach;
  }

  *#mergesBetween(branch: number, after: number, upTo: number): Generator<Merge> {
    for (const merge of this.#merges.get(branch) ?? []) {
      if (merge.seq > upTo) return;
      if (merge.seq > after) yield merge;
    }
  }
}

/** 0 if the histories share no commit. */
export function newestSharedSeq(a: VersionVector, b: VersionVector): number {
  let newest = 0;
  for (const [branch, seq] of a) newest = Math.max(newest, Math.min(seq, b.get(branch) ?? 0));
  return newest;
}

export interface CommitRange {
  readonly branch: number;
  readonly after: number;
  readonly upTo: number;
}

export function rangesAhead(history: VersionVector, other: VersionVector): CommitRange[] {
  return [...history]
    .map(([branch, upTo]) => ({ branch, after: other.get(branch) ?? 0, upTo }))
    .filter(({ after, upTo }) => after < upTo);
}
