/** A name without case, spacing and punctuation: `user_profile` and `User Profile` are spelt alike. */
export function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/** Shorter names have no halves that would say anything. */
const shortestWithHalves = 4;
/** From this length on, two letters may differ. */
const longEnoughForTwo = 8;
/** Longer texts are no names; they are only compared as a whole. */
const longestWithHalves = 200;

/** How many letters a name may differ in and still be meant as the same. */
export function spellingTolerance(foldedName: string): number {
  const { length } = foldedName;
  if (length < shortestWithHalves || length > longestWithHalves) return 0;
  return length < longEnoughForTwo ? 1 : 2;
}

/** Two names whose digits differ are two things, however alike: invoice 17 is not a misspelt invoice 18. */
export function digitsOf(foldedName: string): string {
  return foldedName.replace(/\P{N}/gu, '');
}

/** What a name is found by: its halves, together with its length and its digits; one that has none, as a whole. */
export function spellingsOf(name: string): string[] {
  const text = folded(name);
  if (text === '') return [];
  return spellingTolerance(text) === 0 ? [whole(text)] : halves(text, text.length);
}

/**
 * What other spellings of a name are found by. If one letter differs, one half of the other name is here as it stands, at
 * the beginning or at the end; if two do, that holds as long as they are in the same half.
 */
export function spellingsLike(name: string): string[] {
  const text = folded(name);
  if (text === '') return [];
  if (spellingTolerance(text) === 0) return [whole(text)];
  return [text.length, text.length - 1, text.length + 1].flatMap((length) => halves(text, length));
}

function whole(text: string): string {
  return `=${text}`;
}

/** The halves that a name of this length would have if it began, or ended, like this text. */
function halves(text: string, length: number): string[] {
  const head = Math.floor(length / 2);
  const about = `${length} ${digitsOf(text)}`;
  return [`<${about} ${text.slice(0, head)}`, `>${about} ${text.slice(-(length - head))}`];
}
