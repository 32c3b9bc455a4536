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

interface BranchRow {
  readonly id: number;
  readonly parent: number | null;
  readonly forkSeq: number;
  readonly headSeq: number;
  readonly deleted: boolean;
}

/**
 * The states of a graph that must stay readable. They are decided before anything is dropped: what is written meanwhile
 * lies beyond the heads as they were then, and is left alone.
 */
export class RetainedStates {
  readonly #branches: ReadonlyMap<number, BranchRow>;
  /** By branch, ascending. */
  readonly #seqs: ReadonlyMap<number, readonly number[]>;
  /** By branch: the histories of all states include the commits up to here. */
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

  /** Live heads and recent commits, what each of these started from, and merge bases. */
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

  get unreachableBranches(): number[] {
    return [...this.#branches.keys()].filter((id) => !this.#seqs.has(id));
  }

  get deletedBranches(): number[] {
    return [...this.#branches.values()].filter(({ deleted }) => deleted).map(({ id }) => id);
  }

  /** Whether a commit can no longer be read in full. */
  isUnreachableCommit({ branch, seq }: CommitPosition): boolean {
    const head = this.#branches.get(branch)?.headSeq ?? 0;
    return seq <= head && !this.#seen(branch, seq, seq + 1);
  }

  isUnreachableRow(branch: number, born: number, died: number | null): boolean {
    const at = this.#branches.get(branch);
    if (at === undefined || born > at.headSeq) return false;
    if (died === null ? !at.deleted : died > at.headSeq) return false;
    return !this.#seen(branch, born, died ?? Number.POSITIVE_INFINITY);
  }

  /** Whether every state has this commit in its history, so that no comparison asks what it touched. */
  isCommon({ branch, seq }: CommitPosition): boolean {
    return seq <= (this.#common.get(branch) ?? 0);
  }

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

/** Heads and recent commits with their parents, so that their changes can be shown. */
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

/** A reader of a branch also reads its parent as of the fork. */
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

/** How far all histories agree: the earliest state of each branch knows least. */
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
