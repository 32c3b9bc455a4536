import { stems } from './words.js';

/** Texts whose stems are kept: those of a few searches, which mostly look at the same ones again. */
const maxCached = 20_000;
/** A longer text is cut anew each time: a few of them would fill the memory. */
const maxCachedLength = 1_000;
const cache = new Map<string, readonly string[]>();

/** The stems of a text, as `stems` gives them, without cutting the same text again and again. */
export function cachedStems(text: string): readonly string[] {
  if (text.length > maxCachedLength) return stems(text);
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (cache.size >= maxCached) evictOldest();
  const cut = stems(text);
  cache.set(text, cut);
  return cut;
}

function evictOldest(): void {
  for (const text of cache.keys()) {
    cache.delete(text);
    if (cache.size <= (maxCached * 3) / 4) return;
  }
}
