import { decodeNumbersCursor, encodeNumbersCursor } from './numbers-cursor.js';

/** For lists that are computed anew for each page: how many items to skip. */
export function encodeOffsetCursor(list: string, offset: number): string {
  return encodeNumbersCursor(list, [offset]);
}

export function decodeOffsetCursor(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [offset = 0] = decodeNumbersCursor(list, 1, cursor);
  return offset;
}
