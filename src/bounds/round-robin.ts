/** So many owners are remembered; one that is forgotten is served as if it had never been. */
const maxOwners = 10_000;

/** Whose turn it is among several owners: whoever had the last one the longest time ago. */
export class RoundRobin {
  /** The turn each owner had last; the oldest come first. */
  readonly #last = new Map<string, number>();
  #turn = 0;

  /** The place of the next in a list of those who wait: the first of its owner. -1 if nobody is admitted. */
  next<T>(
    waiting: readonly T[],
    ownerOf: (item: T) => string,
    isAdmitted: (item: T) => boolean = () => true,
  ): number {
    let best = -1;
    let longestAgo = Number.POSITIVE_INFINITY;
    for (const [place, item] of waiting.entries()) {
      const last = this.#last.get(ownerOf(item)) ?? 0;
      if (last >= longestAgo || !isAdmitted(item)) continue;
      best = place;
      longestAgo = last;
      if (last === 0) break;
    }
    return best;
  }

  /** An owner has its turn. */
  markServed(owner: string): void {
    this.#last.delete(owner);
    this.#last.set(owner, ++this.#turn);
    if (this.#last.size <= maxOwners) return;
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest);
      break;
    }
  }
}
