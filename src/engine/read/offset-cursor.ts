import { decodeNumbers, encodeNumbers } from './numbers-cursor.js';

/** A place in a list that is made anew for each page: how many items to pass over. */
export function encodeOffset(offset: number): string {
  return encodeNumbers('from', [offset]);
}

export function decodeOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [offset = 0] = decodeNumbers('from', 1, cursor);
  return offset;
}
