import { compareOrder, type Order } from '../../../model/order.js';

export class Overlay<K, T extends { readonly order: Order }> {
  readonly #keyOf: (row: T) => K;
  /** Null: removed. */
  readonly #rows = new Map<K, T | null>();

  constructor(keyOf: (row: T) => K) {
    this.#keyOf = keyOf;
  }

  put(row: T): void {
    this.#rows.set(this.#keyOf(row), row);
  }

  remove(row: T): void {
    this.#rows.set(this.#keyOf(row), null);
  }

  has(key: K): boolean {
    return this.#rows.has(key);
  }

  at(keys: Iterable<K>): T[] {
    if (this.#rows.size === 0) return [];
    return [...new Set(keys)].flatMap((key) => this.#rows.get(key) ?? []);
  }

  where(wanted: (row: T) => boolean): T[] {
    const found: T[] = [];
    for (const row of this.#rows.values()) if (row !== null && wanted(row)) found.push(row);
    return found;
  }

  /** Merges what was read with what was put, in order. */
  over(read: readonly T[], put: readonly T[]): T[] {
    if (this.#rows.size === 0) return [...read];
    const unchanged = read.filter((row) => !this.#rows.has(this.#keyOf(row)));
    return [...unchanged, ...put].sort((a, b) => compareOrder(a.order, b.order));
  }

  /** A page of what exists now: the wanted rows that were put, and those that `read` finds. */
  async page(
    { after, limit }: { readonly after?: Order | undefined; readonly limit?: number | undefined },
    wanted: (row: T) => boolean,
    read: (after: Order | undefined) => Promise<readonly T[]>,
  ): Promise<T[]> {
    for (let from = after; ; ) {
      const rows = await read(from);
      const last = limit !== undefined && rows.length >= limit ? rows.at(-1)?.order : undefined;
      const put = this.where(
        (row) =>
          wanted(row) &&
          (after === undefined || compareOrder(row.order, after) > 0) &&
          (last === undefined || compareOrder(row.order, last) < 0),
      );
      const page = this.over(rows, put).slice(0, limit);
      if (page.length > 0 || last === undefined) return page;
      from = last;
    }
  }
}
