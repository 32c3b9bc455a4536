import { decodeNumbers, encodeNumbers } from './numbers-cursor.js';

/** A place in a list that is made anew for each page: how many items to pass over. */
export function encodeOffset(list: string, offset: number): string {
  return encodeNumbers(list, [offset]);
}

export function decodeOffset(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [offset = 0] = decodeNumbers(list, 1, cursor);
  return offset;
}
