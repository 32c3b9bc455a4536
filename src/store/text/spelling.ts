/** A name without case, spacing and punctuation: `user_profile` and `User Profile` are spelt alike. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/** Shorter names have no halves that would say anything. */
const minLengthForHalves = 4;
/** From this length on, two letters may differ. */
const minLengthForTwoEdits = 8;
/** Longer texts are no names; they are only compared as a whole. */
const maxLengthForHalves = 200;

/** How many letters a name may differ in and still be meant as the same. */
export function spellingTolerance(foldedName: string): number {
  const { length } = foldedName;
  if (length < minLengthForHalves || length > maxLengthForHalves) return 0;
  return length < minLengthForTwoEdits ? 1 : 2;
}

/** Names that differ in case, spacing, punctuation, or a letter or two. */
export const sameSpelling = { key: foldName, tolerance: spellingTolerance } as const;

/** Two names whose digits differ are two things, however alike: invoice 17 is not a misspelt invoice 18. */
export function digitsOf(foldedName: string): string {
  return foldedName.replace(/\P{N}/gu, '');
}

/** What a name is found by: its halves, together with its length and its digits; one that has none, as a whole. */
export function spellingKeys(name: string): string[] {
  const text = foldName(name);
  if (text === '') return [];
  return spellingTolerance(text) === 0 ? [wholeKey(text)] : halfKeys(text, text.length);
}

/**
 * What other spellings of a name are found by. If one letter differs, one half of the other name is here as it stands, at
 * the beginning or at the end; if two do, that holds as long as they are in the same half.
 */
export function similarSpellingKeys(name: string): string[] {
  const text = foldName(name);
  if (text === '') return [];
  if (spellingTolerance(text) === 0) return [wholeKey(text)];
  return [text.length, text.length - 1, text.length + 1].flatMap((length) => halfKeys(text, length));
}

function wholeKey(text: string): string {
  return `=${text}`;
}

/** The halves that a name of this length would have if it began, or ended, like this text. */
function halfKeys(text: string, length: number): string[] {
  const head = Math.floor(length / 2);
  const about = `${length} ${digitsOf(text)}`;
  return [`<${about} ${text.slice(0, head)}`, `>${about} ${text.slice(-(length - head))}`];
}
