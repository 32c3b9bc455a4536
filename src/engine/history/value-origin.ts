import { groupEntries } from '../../model/group-entries.js';
import type { HistoryPosition, NodeVersions, RowVersion } from '../../store/read-results.js';

/** The seq of a commit; or why it cannot be told. */
export type ValueOrigin = number | 'collected' | 'unread';

/** Every version of one thing. At any position of the history at most one of them is visible. */
export class VersionHistory<T> {
  readonly #history: Pick<NodeVersions, 'forks' | 'parents' | 'position'>;
  readonly #isComplete: boolean;
  /** By branch, oldest first. */
  readonly #versions: ReadonlyMap<number, readonly RowVersion<T>[]>;

  constructor(
    history: Pick<NodeVersions, 'forks' | 'parents' | 'position'>,
    versions: readonly RowVersion<T>[],
    isComplete = true,
  ) {
    this.#history = history;
    this.#isComplete = isComplete;
    const sorted = [...versions].sort((a, b) => a.born - b.born);
    this.#versions = groupEntries(sorted.map((version) => [version.branch, version]));
  }

  /**
   * The commit that gave the thing its present value, of which `has` says whether a version has it. What a merge brought
   * comes from a commit of the merged branch; the merge itself made only what neither side had.
   *
   * @param isMade Whether a version tells by itself that its commit made it, even if what was before is gone.
   */
  origin(has: (value: T) => boolean, isMade: (version: RowVersion<T>) => boolean = () => false): ValueOrigin {
    for (let version = this.#visibleAt(this.#history.position); ; ) {
      if (version === undefined) return this.#isComplete ? 'collected' : 'unread';
      const { branch, born } = version;
      const before = this.#visibleAt({ branch, seq: born - 1 });
      if (before === undefined && !this.#isComplete) return 'unread';
      if (before !== undefined && has(before.value)) {
        version = before;
        continue;
      }
      const {
        parentCollected = false,
        merged = null,
        mergedCollected,
      } = this.#history.parents.get(born) ?? {};
      if (merged !== null) {
        if (mergedCollected) return 'collected';
        const theirs = this.#visibleAt(merged);
        if (theirs !== undefined && has(theirs.value)) {
          version = theirs;
          continue;
        }
      }
      return before === undefined && parentCollected && !isMade(version) ? 'collected' : born;
    }
  }

  #visibleAt(position: HistoryPosition): RowVersion<T> | undefined {
    const nearer: HistoryPosition[] = [];
    for (let level: HistoryPosition | undefined = position; level !== undefined; ) {
      const found = this.#liveOn(level);
      if (found !== undefined && !isHidden(found, nearer)) return found;
      nearer.push(level);
      level = this.#history.forks.get(level.branch);
    }
    return undefined;
  }

  /** Binary search: versions of one branch do not overlap. */
  #liveOn({ branch, seq }: HistoryPosition): RowVersion<T> | undefined {
    const versions = this.#versions.get(branch) ?? [];
    let [low, high] = [0, versions.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((versions[middle]?.born ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    const last = versions[low - 1];
    return last === undefined || (last.died !== null && last.died <= seq) ? undefined : last;
  }
}

function isHidden({ hidden }: RowVersion<unknown>, nearer: readonly HistoryPosition[]): boolean {
  return hidden.some((from) => nearer.some(({ branch, seq }) => from.branch === branch && from.seq <= seq));
}
