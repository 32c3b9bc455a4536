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

/** Compares code points, as databases do by the bytes of UTF-8: differs from `compareText` beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (one !== other) return placeOfUnit(one) - placeOfUnit(other);
  }
  return a.length - b.length;
}

/** Surrogates come last: they are code points beyond all others. */
function placeOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}

export function compareOrder(a: Order, b: Order): number {
  return a.seq - b.seq || a.position - b.position;
}

/** The seq of what a rehearsed write makes: later than every commit, and still exact. */
export const rehearsedSeq = 2 ** 52;
