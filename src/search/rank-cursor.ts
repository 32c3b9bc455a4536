import { decodeNumbersCursor, encodeNumbersCursor } from '../engine/read/numbers-cursor.js';
import { paginate } from '../engine/read/page.js';

export interface RankedPage<T> {
  readonly page: readonly T[];
  readonly nextCursor?: string;
}

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

export function decodeRankCursor(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const hint = 'Pass the nextCursor of the previous answer unchanged, with the same query and mode.';
  const [offset = 0] = decodeNumbersCursor(list, 1, cursor, hint);
  return offset;
}
