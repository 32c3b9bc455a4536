/** A forgotten owner counts as never served. */
const maxOwners = 10_000;

/** Picks the owner that was served longest ago. */
export class RoundRobin {
  /** Oldest first. */
  readonly #last = new Map<string, number>();
  #turn = 0;

  /** The index of the next item: the first one of its owner. -1 if none is admitted. */
  next<T>(
    waiting: readonly T[],
    ownerOf: (item: T) => string,
    isAdmitted: (item: T) => boolean = () => true,
  ): number {
    let best = -1;
    let longestAgo = Number.POSITIVE_INFINITY;
    for (const [index, item] of waiting.entries()) {
      const last = this.#last.get(ownerOf(item)) ?? 0;
      if (last >= longestAgo || !isAdmitted(item)) continue;
      best = index;
      longestAgo = last;
      if (last === 0) break;
    }
    return best;
  }

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
