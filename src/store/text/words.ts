import { stemmer } from 'stemmer';

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
/** For plain ASCII, as most texts are: twice as fast. */
const plainWordPattern = /[a-z0-9]+/g;
const beyondAscii = /[^\0-\x7f]/;
/** Scripts without spaces: a run is cut into overlapping pairs. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Only the beginning of a longer run, such as encoded data, counts: no index takes it whole. */
const maxWordLength = 64;
const plainAscii = /^[a-z]+$/;

export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

export function words(text: string): string[] {
  if (!beyondAscii.test(text)) return (text.toLowerCase().match(plainWordPattern) ?? []).map(truncateWord);
  const lowered = text.normalize('NFKC').toLowerCase();
  const found = lowered.match(wordPattern) ?? [];
  if (!unspacedScript.test(lowered)) return found.map(truncateWord);
  return found.flatMap((word) => (unspacedScript.test(word) ? overlappingPairs(word) : truncateWord(word)));
}

/** In order, with repeats: what ranked search compares. */
export function stems(text: string): string[] {
  return words(text).map(stemOf);
}

/** Longer texts would fill the memory. */
const maxCachedLength = 1_000;
/** Enough for a few searches, which mostly read the same texts. */
const stemsOfShort = memoized<readonly string[]>(20_000, stems);

export function cachedStems(text: string): readonly string[] {
  return text.length > maxCachedLength ? stems(text) : stemsOfShort(text);
}

/** Stemming costs far more than a look-up, and most words repeat. */
export const stemOf = memoized(50_000, (word) => (plainAscii.test(word) ? stemmer(word) : word));

/** Remembers what `make` returned for up to `max` texts, then starts again. */
export function memoized<V extends {}>(max: number, make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= max) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

export function truncateWord(word: string): string {
  return word.length > maxWordLength ? word.slice(0, maxWordLength).toWellFormed() : word;
}

function overlappingPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
