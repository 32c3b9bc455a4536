import { decodeNumbersCursor, encodeNumbersCursor } from '../engine/read/numbers-cursor.js';
import { paginate } from '../engine/read/page.js';

/** A part of a ranked list, and where the next part starts. */
export interface RankedPage<T> {
  readonly page: readonly T[];
  readonly nextCursor?: string;
}

/** Cuts a page out of a ranked list: a cursor is a place in the list. */
export function rankedPage<T>(
  list: string,
  ranked: readonly T[],
  limit: number,
  cursor: string | undefined,
): RankedPage<T> {
  const offset = decodeRankCursor(list, cursor);
  const { page, more } = paginate(ranked.slice(offset, offset + limit + 1), limit);
  return { page, ...(more ? { nextCursor: encodeNumbersCursor(list, [offset + limit]) } : {}) };
}

/** Where in a ranked list a cursor points; without one, to its beginning. */
export function decodeRankCursor(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const hint = 'Pass the nextCursor of the previous answer unchanged, with the same query and mode.';
  const [offset = 0] = decodeNumbersCursor(list, 1, cursor, hint);
  return offset;
}
