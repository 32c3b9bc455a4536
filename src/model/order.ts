/** Creation order: the seq of the commit that made a thing real, then its position in that batch. */
export interface Order {
  readonly seq: number;
  readonly position: number;
}

export function compareOrder(a: Order, b: Order): number {
  return a.seq - b.seq || a.position - b.position;
}
