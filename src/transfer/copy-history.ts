import type { Commit } from '../model/commit.js';
import { type Branch, mainBranch } from '../model/graph-record.js';
import type { Store } from '../store/store-contract.js';
import { type CopyProgress, notACopyError } from './copy-progress.js';
import { commitsUntil, type HistoryEnd } from './history-end.js';
import { replayCommit } from './replay-commit.js';

interface CopyHistoryOptions {
  readonly end: HistoryEnd;
  readonly progress: CopyProgress;
  readonly onCommit?: (commit: Commit) => void;
  readonly chunkSize: number | undefined;
}

/** Replays missing commits, oldest first, and forks each branch at its fork point. */
export async function copyHistory(
  source: Store,
  target: Store,
  graph: string,
  { end, progress, onCommit, chunkSize }: CopyHistoryOptions,
): Promise<number> {
  const skip = new Map(progress.done);
  const forks = await PendingForks.of(source, target, graph, end);
  let copied = 0;
  for await (const page of commitsUntil(source, graph, end)) {
    for (const commit of page) {
      await forks.forkUpTo(commit.seq);
      const left = skip.get(commit.branch) ?? 0;
      if (left > 0) {
        skip.set(commit.branch, left - 1);
        continue;
      }
      const { seq } = await replayCommit(source, target, commit, { graph, seqs: progress.seqs, chunkSize });
      progress.seqs.add(commit.seq, seq);
      copied += 1;
      onCommit?.(commit);
    }
  }
  await forks.forkUpTo(Number.POSITIVE_INFINITY);
  return copied;
}

/** Branches that are not forked yet: a branch can only be forked from a head. */
class PendingForks {
  readonly #target: Store;
  readonly #graph: string;
  readonly #pending: Branch[];
  readonly #nameOf: ReadonlyMap<number, string>;

  private constructor(target: Store, graph: string, branches: readonly Branch[], there: ReadonlySet<string>) {
    this.#target = target;
    this.#graph = graph;
    this.#nameOf = new Map(branches.map(({ id, name }) => [id, name]));
    this.#pending = branches
      .filter(({ name }) => !there.has(name))
      .sort((a, b) => a.forkSeq - b.forkSeq || a.id - b.id);
  }

  static async of(source: Store, target: Store, graph: string, branches: HistoryEnd): Promise<PendingForks> {
    const there = (await target.branches(graph)).map(({ name }) => name);
    const stranger = there.find((name) => !branches.some((branch) => branch.name === name));
    if (stranger !== undefined) throw notACopyError(source, target, graph, stranger);
    return new PendingForks(target, graph, branches, new Set(there));
  }

  /** Forks the branches whose fork point precedes this seq. */
  async forkUpTo(seq: number): Promise<void> {
    for (let [next] = this.#pending; next !== undefined && next.forkSeq < seq; [next] = this.#pending) {
      const parent = next.parent === null ? mainBranch : (this.#nameOf.get(next.parent) ?? mainBranch);
      await this.#target.createBranch(this.#graph, next.name, parent);
      this.#pending.shift();
    }
  }
}
