import { stemmer } from 'stemmer';

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
/** The same of a text in plain ASCII, as most are: cut twice as fast. */
const plainWordPattern = /[a-z0-9]+/g;
const beyondAscii = /[^\0-\x7f]/;
/** Scripts written without spaces: a run of them is cut into overlapping pairs. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Of a longer run of letters, such as encoded data, only the beginning counts: no index takes it whole. */
const maxWordLength = 64;
const plainAscii = /^[a-z]+$/;

/** The words of a text, lower-cased, in order, repeats included. */
export function words(text: string): string[] {
  if (!beyondAscii.test(text)) return (text.toLowerCase().match(plainWordPattern) ?? []).map(truncateWord);
  const lowered = text.normalize('NFKC').toLowerCase();
  const found = lowered.match(wordPattern) ?? [];
  if (!unspacedScript.test(lowered)) return found.map(truncateWord);
  return found.flatMap((word) => (unspacedScript.test(word) ? overlappingPairs(word) : truncateWord(word)));
}

/** The stems of a text, in order, repeats included: what ranked search compares. */
export function stems(text: string): string[] {
  return words(text).map(stemOf);
}

/** Stemming costs far more than looking up, and most words of a text are ones seen before. */
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
