import { stemmer } from 'stemmer';

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces: a run of them is cut into overlapping pairs. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Of a longer run of letters, such as encoded data, only the beginning counts: no index takes it whole. */
const longestWord = 64;
const plainAscii = /^[a-z]+$/;

/** The words of a text, lower-cased, in order, repeats included. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(wordPattern)) {
    if (unspaced.test(word)) found.push(...pairs(word));
    else found.push(word.length > longestWord ? word.slice(0, longestWord).toWellFormed() : word);
  }
  return found;
}

/** The stems of a text, in order, repeats included: what ranked search compares. */
export function stems(text: string): string[] {
  return words(text).map(stemOf);
}

/** Stemming costs far more than looking up, and most words of a text are ones seen before. */
const known = new Map<string, string>();
const mostKnown = 50_000;

function stemOf(word: string): string {
  if (!plainAscii.test(word)) return word;
  const before = known.get(word);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const stem = stemmer(word);
  known.set(word, stem);
  return stem;
}

function pairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
