import { z } from 'zod';
import { cachedStems } from '../store/text/words.js';
import type { SurfaceSettings } from './surface.js';

/** How many ranked nodes a search returns that asked for none. */
export const fallbackLimit = 10;

/** Marks a result that was found by single words, since nothing contains the query as it is. */
export const rankedMatch = 'ranked';

export const matchOutput = {
  match: z
    .literal(rankedMatch)
    .optional()
    .describe('Nothing contains the query as it is: these contain some of its words, best first'),
};

/** Cursors are base64url, so no other begins like this. */
const cursorMark = 'ranked.';

/** What separates words; some scripts write them without spaces. An identifier such as `a-7/b` is one word. */
const severalWords = /\S\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a search that found nothing is worth repeating by words. */
export function fallsBack(query: string, { searchFallback = 'ranked' }: SurfaceSettings): boolean {
  return searchFallback === 'ranked' && severalWords.test(query) && new Set(cachedStems(query)).size > 1;
}

/** Says that the next page belongs to a ranked list, although nobody asked for one. */
export function markCursor(cursor: string | undefined): { readonly nextCursor?: string } {
  return cursor === undefined ? {} : { nextCursor: `${cursorMark}${cursor}` };
}

/** The cursor within the ranked list, or undefined if it belongs to another. */
export function unmarkCursor(cursor: string | undefined): string | undefined {
  return cursor?.startsWith(cursorMark) ? cursor.slice(cursorMark.length) : undefined;
}
