import { stems } from './words.js';

/** Enough for a few searches, which mostly read the same texts. */
const maxCached = 20_000;
/** Longer texts would fill the memory. */
const maxCachedLength = 1_000;
const cache = new Map<string, readonly string[]>();

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
