import { editsOf, type TextTest } from './text-test.js';
import { words } from './words.js';

/** Runs of fewer letters are in almost every text. */
const shortestRun = 2;
/** More lists rule out hardly more texts. */
const mostLists = 4;

/**
 * What a text in plain ASCII, lower-cased, must have to pass a test: of each of these lists one run of letters at least.
 * Asking that first is cheap, and loses nothing: what is beyond ASCII is normalised before it is cut into words, so
 * nothing is said of words or texts with such letters.
 */
export function neededRuns({ kind, text, edits }: TextTest): readonly (readonly string[])[] {
  const lists = [...new Set(words(text))]
    .filter((word) => /^[a-z0-9]+$/.test(word))
    .map((word) => partsOf(word, kind === 'fuzzy' ? editsOf(word, edits) : 0));
  return lists
    .filter((runs) => shortestOf(runs) >= shortestRun)
    .sort((a, b) => shortestOf(b) - shortestOf(a))
    .slice(0, mostLists);
}

/** A word in one more part than may be edited: an edit changes one part at most, so one is left as it is. */
function partsOf(word: string, edits: number): readonly string[] {
  const count = edits + 1;
  const start = (part: number) => Math.floor((part * word.length) / count);
  return Array.from({ length: count }, (_, part) => word.slice(start(part), start(part + 1)));
}

function shortestOf(runs: readonly string[]): number {
  return Math.min(...runs.map((run) => run.length));
}
