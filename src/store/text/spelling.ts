/** A name without case, spacing and punctuation: `user_profile` and `User Profile` are spelled alike. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/** Halves of shorter names say too little. */
const minLengthForHalves = 4;
const minLengthForTwoEdits = 8;
/** Longer texts are not names; they are compared as a whole. */
const maxLengthForHalves = 200;

/** How many letters may differ in names that mean the same. */
export function spellingTolerance(foldedName: string): number {
  const { length } = foldedName;
  if (length < minLengthForHalves || length > maxLengthForHalves) return 0;
  return length < minLengthForTwoEdits ? 1 : 2;
}

export const sameSpelling = { key: foldName, tolerance: spellingTolerance } as const;

/** Names with different digits are different things: invoice 17 is not a misspelled invoice 18. */
export function digitsOf(foldedName: string): string {
  return foldedName.replace(/\P{N}/gu, '');
}

/** A name is found by its halves with its length and digits, or as a whole if it is too short. */
export function spellingKeys(name: string): string[] {
  const text = foldName(name);
  if (text === '') return [];
  return spellingTolerance(text) === 0 ? [wholeKey(text)] : halfKeys(text, text.length);
}

/**
 * The keys by which other spellings of a name are found. If one letter differs, a half at the beginning or end is the
 * same; if two differ, only as long as they are in the same half.
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

function halfKeys(text: string, length: number): string[] {
  const head = Math.floor(length / 2);
  const about = `${length} ${digitsOf(text)}`;
  return [`<${about} ${text.slice(0, head)}`, `>${about} ${text.slice(-(length - head))}`];
}
