// @ts-check
import { person } from './query-forms.js';

/** The rows of each word of the notes, read once: what somebody would keep who had only to search these for spellings. */
export class WordsByHand {
  /** @type {Map<string, number[]>} */
  #rows = new Map();

  /**
   * @param {(sql: string, params: readonly unknown[]) => Promise<Record<string, unknown>[]>} all
   * @param {readonly number[]} seen
   * @param {string} note
   */
  static async read(all, seen, note) {
    const words = new WordsByHand();
    for (const { row, text } of await all(
      `select a.row as row, ${note} as text from node_row a where ${person('a')}`,
      seen,
    ))
      for (const word of new Set(
        String(text)
          .toLowerCase()
          .match(/[a-z0-9]+/g),
      ))
        words.#add(word, Number(row));
    return words;
  }

  /**
   * @param {string} word
   * @param {number} row
   */
  #add(word, row) {
    const rows = this.#rows.get(word);
    if (rows === undefined) this.#rows.set(word, [row]);
    else rows.push(row);
  }

  /**
   * The rows with a word in which at most one letter differs.
   * @param {string} wanted
   */
  almost(wanted) {
    const found = new Set();
    for (const [word, rows] of this.#rows) if (isAlmost(word, wanted)) for (const row of rows) found.add(row);
    return [...found];
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function isAlmost(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  if (restA.length === restB.length) return restA.slice(1) === restB.slice(1);
  return restA.length > restB.length ? restA.slice(1) === restB : restB.slice(1) === restA;
}
