import { maxEditsFor, type TextPattern } from './text-matcher.js';
import { words } from './words.js';

/** Shorter runs occur in almost every text. */
const minLength = 2;
/** More lists exclude hardly more texts. */
const maxLists = 4;

/**
 * What a text in plain ASCII, lower-cased, must have to match: one run of letters of each list. Checking that first is
 * cheap. Other letters are normalised before words are cut, so words and texts with such are left out.
 */
export function requiredSubstrings({ kind, text, edits }: TextPattern): readonly (readonly string[])[] {
  const lists = [...new Set(words(text))]
    .filter((word) => /^[a-z0-9]+$/.test(word))
    .map((word) => splitWord(word, kind === 'fuzzy' ? maxEditsFor(word, edits) : 0));
  return lists
    .filter((runs) => shortestLength(runs) >= minLength)
    .sort((a, b) => shortestLength(b) - shortestLength(a))
    .slice(0, maxLists);
}

/** A word in one part more than the allowed edits: an edit changes one part, so one stays intact. */
function splitWord(word: string, edits: number): readonly string[] {
  const count = edits + 1;
  const start = (part: number) => Math.floor((part * word.length) / count);
  return Array.from({ length: count }, (_, part) => word.slice(start(part), start(part + 1)));
}

function shortestLength(runs: readonly string[]): number {
  return Math.min(...runs.map((run) => run.length));
}
