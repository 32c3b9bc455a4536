/** Creation order: the seq of the creating commit, then the position in its batch. */
export interface Order {
  readonly seq: number;
  readonly position: number;
}

/** Compares UTF-16 code units: independent of locale and database. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function compareOrder(a: Order, b: Order): number {
  return a.seq - b.seq || a.position - b.position;
}
