import {
  Ancestry,
  type CommitPosition,
  commitPosition,
  newestSharedSeq,
  type VersionVector,
} from '../commits/ancestry.js';
import type { GraphContext } from '../dialect.js';
import type { Executor } from '../executor.js';
import { readNumber, readOptionalNumber } from '../rows.js';
import { sql } from '../sql.js';

/** A branch, deleted or not, as collecting sees it. */
interface BranchRow {
  readonly id: number;
  readonly parent: number | null;
  readonly forkSeq: number;
  readonly headSeq: number;
  readonly deleted: boolean;
}

/**
 * From where a graph must stay readable. Everything is decided once, before anything is dropped: what is written meanwhile
 * lies beyond the heads as they were then, and is left alone.
 */
export class RetainedStates {
  readonly #branches: ReadonlyMap<number, BranchRow>;
  /** By branch, ascending. */
  readonly #seqs: ReadonlyMap<number, readonly number[]>;
  /** By branch: commits up to here are part of the history of every view. */
  readonly #common: ReadonlyMap<number, number>;

  private constructor(
    branches: ReadonlyMap<number, BranchRow>,
    seqs: ReadonlyMap<number, readonly number[]>,
    common: ReadonlyMap<number, number>,
  ) {
    this.#branches = branches;
    this.#seqs = seqs;
    this.#common = common;
  }

  /** Works out the views of a graph: live heads and commits since a time, what each of these started from, and bases of merges. */
  static async load(context: GraphContext, since: number): Promise<RetainedStates> {
    const { executor, graph } = context;
    const branches = await loadBranches(executor, graph);
    const ancestry = await Ancestry.load(executor, graph);
    const live = [...branches.values()].filter(({ deleted }) => !deleted);
    const heads = live.map(({ id, headSeq }) => ({ branch: id, seq: headSeq }));
    const reaches = heads.map(({ branch, seq }) => ancestry.versionVector(branch, seq));
    const found = [
      ...heads,
      ...(await recentCommits(context, since, heads)),
      ...(await positionsOf(context, mergeBases(reaches))),
    ];
    const seqs = withForks(branches, found);
    return new RetainedStates(branches, seqs, commonHistory(ancestry, branches, seqs));
  }

  /** Branches that nothing can be seen of any more. */
  get unreachableBranches(): number[] {
    return [...this.#branches.keys()].filter((id) => !this.#seqs.has(id));
  }

  get deletedBranches(): number[] {
    return [...this.#branches.values()].filter(({ deleted }) => deleted).map(({ id }) => id);
  }

  /** Whether nothing can be read at a commit without harm any more. */
  isUnreachableCommit({ branch, seq }: CommitPosition): boolean {
    const head = this.#branches.get(branch)?.headSeq ?? 0;
    return seq <= head && !this.#seen(branch, seq, seq + 1);
  }

  /** Whether no view shows a row. */
  isUnreachableRow(branch: number, born: number, died: number | null): boolean {
    const at = this.#branches.get(branch);
    if (at === undefined || born > at.headSeq) return false;
    if (died === null ? !at.deleted : died > at.headSeq) return false;
    return !this.#seen(branch, born, died ?? Number.POSITIVE_INFINITY);
  }

  /** Whether every view has this commit in its history, so that no comparison of two ever asks what it touched. */
  isCommon({ branch, seq }: CommitPosition): boolean {
    return seq <= (this.#common.get(branch) ?? 0);
  }

  /** Whether a branch is looked at between two seqs, the second excluded. */
  #seen(branch: number, from: number, until: number): boolean {
    const seqs = this.#seqs.get(branch) ?? [];
    let low = 0;
    let high = seqs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((seqs[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return (seqs[low] ?? Number.POSITIVE_INFINITY) < until;
  }
}

async function loadBranches(executor: Executor, graph: number): Promise<Map<number, BranchRow>> {
  const rows = await executor.all(
    sql`select id, parent, fork_seq, head_seq, deleted_at from branch where graph = ${graph}`,
  );
  return new Map(
    rows.map((row) => [
      readNumber(row, 'id'),
      {
        id: readNumber(row, 'id'),
        parent: readOptionalNumber(row, 'parent'),
        forkSeq: readNumber(row, 'fork_seq'),
        headSeq: readNumber(row, 'head_seq'),
        deleted: row['deleted_at'] !== null,
      },
    ]),
  );
}

/** Heads and the commits since a time, and the parents of all these, so that it can be seen what they changed. */
async function recentCommits(
  { executor, dialect, graph }: GraphContext,
  since: number,
  heads: readonly CommitPosition[],
): Promise<CommitPosition[]> {
  const seqs = heads.map(({ seq }) => seq);
  const isHead = dialect.inList('c.seq', 'integer', seqs);
  const recent = sql`c.graph = ${graph} and (c.time >= ${since} or ${isHead}) and c.collected = 0`;
  const rows = await executor.all(
    sql`select c.branch, c.seq from commit_log c where ${recent}
      union select p.branch, p.seq from commit_log c
        join commit_log p on p.graph = c.graph and p.id = c.parent and p.collected = 0 where ${recent}`,
  );
  return rows.map(commitPosition);
}

/** The commits that merges of live branches would start from. */
function mergeBases(reaches: readonly VersionVector[]): number[] {
  const bases = new Set<number>();
  for (const [index, reach] of reaches.entries()) {
    for (const other of reaches.slice(index + 1)) bases.add(newestSharedSeq(reach, other));
  }
  return [...bases];
}

async function positionsOf(
  { executor, dialect, graph }: GraphContext,
  seqs: readonly number[],
): Promise<CommitPosition[]> {
  const list = dialect.inList('seq', 'integer', seqs);
  const rows = await executor.all(sql`select branch, seq from commit_log where graph = ${graph} and ${list}`);
  return rows.map(commitPosition);
}

/** Whoever looks at a branch looks at its parent as it was at the fork. */
function withForks(
  branches: ReadonlyMap<number, BranchRow>,
  places: readonly CommitPosition[],
): Map<number, readonly number[]> {
  const seqs = new Map<number, Set<number>>();
  const waiting = [...places];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const known = seqs.get(next.branch);
    if (known === undefined) {
      const { parent = null, forkSeq = 0 } = branches.get(next.branch) ?? {};
      if (parent !== null) waiting.push({ branch: parent, seq: forkSeq });
    }
    seqs.set(next.branch, (known ?? new Set()).add(next.seq));
  }
  return new Map([...seqs].map(([branch, set]) => [branch, [...set].sort((a, b) => a - b)]));
}

/** How far the histories of all views agree: the earliest view of each branch knows least. */
function commonHistory(
  ancestry: Ancestry,
  branches: ReadonlyMap<number, BranchRow>,
  seqs: ReadonlyMap<number, readonly number[]>,
): Map<number, number> {
  const reaches = [...seqs].map(([branch, [first = 0]]) => ancestry.versionVector(branch, first));
  return new Map(
    [...branches.keys()].map((id) => [id, Math.min(...reaches.map((reach) => reach.get(id) ?? 0))]),
  );
}
