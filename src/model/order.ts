/** Creation order: the seq of the commit that made a thing real, then its position in that batch. */
export interface Order {
  readonly seq: number;
  readonly position: number;
}

/** Texts in the order of their UTF-16 code units, which no locale and no database changes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function compareOrder(a: Order, b: Order): number {
  return a.seq - b.seq || a.position - b.position;
}
