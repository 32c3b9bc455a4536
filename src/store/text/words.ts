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

export function words(text: string): string[] {
  if (!beyondAscii.test(text)) return (text.toLowerCase().match(plainWordPattern) ?? []).map(truncateWord);
  const lowered = text.normalize('NFKC').toLowerCase();
  const found = lowered.match(wordPattern) ?? [];
  if (!unspacedScript.test(lowered)) return found.map(truncateWord);
  return found.flatMap((word) => (unspacedScript.test(word) ? overlappingPairs(word) : truncateWord(word)));
}

/** The stems of a text, in order, with repeats: what ranked search compares. */
export function stems(text: string): string[] {
  return words(text).map(stemOf);
}

/** Stemming costs far more than a look-up, and most words repeat. */
const stemCache = new Map<string, string>();
const maxCachedStems = 50_000;

function stemOf(word: string): string {
  const before = stemCache.get(word);
  if (before !== undefined) return before;
  if (!plainAscii.test(word)) return word;
  if (stemCache.size >= maxCachedStems) stemCache.clear();
  const stem = stemmer(word);
  stemCache.set(word, stem);
  return stem;
}

function truncateWord(word: string): string {
  return word.length > maxWordLength ? word.slice(0, maxWordLength).toWellFormed() : word;
}

function overlappingPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
