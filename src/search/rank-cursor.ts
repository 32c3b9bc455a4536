import { cutPage } from '../engine/read/page.js';
import { TrellisError } from '../model/error.js';

/** A part of a ranked list, and where the next part starts. */
export interface RankedPage<T> {
  readonly page: readonly T[];
  readonly nextCursor?: string;
}

/** Cuts a page out of a ranked list: a cursor is a place in the list. */
export function rankedPage<T>(
  ranked: readonly T[],
  limit: number,
  cursor: string | undefined,
): RankedPage<T> {
  const offset = offsetOf(cursor);
  const { page, more } = cutPage(ranked.slice(offset, offset + limit + 1), limit);
  return { page, ...(more ? { nextCursor: encodeOffset(offset + limit) } : {}) };
}

/** Where in a ranked list a cursor points; without one, to its beginning. */
export function offsetOf(cursor: string | undefined): number {
  return cursor === undefined ? 0 : decodeOffset(cursor);
}

function encodeOffset(offset: number): string {
  return Buffer.from(`rank ${offset}`).toString('base64url');
}

function decodeOffset(cursor: string): number {
  const match = /^rank (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one that a ranked search gave out.', {
      hint: 'Pass the nextCursor of the previous answer unchanged, with the same query and mode.',
    });
  }
  return Number(match[1]);
}
