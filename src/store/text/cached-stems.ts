import { memoized, stems } from './words.js';

/** Longer texts would fill the memory. */
const maxCachedLength = 1_000;
/** Enough for a few searches, which mostly read the same texts. */
const stemsOfShort = memoized<readonly string[]>(20_000, stems);

export function cachedStems(text: string): readonly string[] {
  return text.length > maxCachedLength ? stems(text) : stemsOfShort(text);
}
