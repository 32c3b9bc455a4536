import type { Json } from '../../model/json.js';
import { maxEditsFor, type TextPattern, textsIn } from './text-matcher.js';
import { isWithinEdits } from './within-edits.js';
import { words } from './words.js';

/** The words of texts, each with the rows whose texts have it. Comparing a word with all of them is far quicker than with all texts. */
export class Vocabulary {
  readonly #places = new Map<string, number>();
  readonly #words: string[] = [];
  /** One bit for each letter of a word; different letters may share one. */
  readonly #letters: number[] = [];
  readonly #rows: number[][] = [];
  #size = 0;

  /** How many words all rows have together. */
  get size(): number {
    return this.#size;
  }

  add(row: number, value: Json): void {
    for (const word of new Set(textsIn(value).flatMap(words))) {
      this.#size += 1;
      const place = this.#places.get(word);
      if (place !== undefined) {
        this.#rows[place]?.push(row);
        continue;
      }
      this.#places.set(word, this.#words.length);
      this.#words.push(word);
      this.#letters.push(lettersOf(word));
      this.#rows.push([row]);
    }
  }

  /** The rows that have a word like each word of the text; undefined if there are more. */
  rowsLike({ text, edits }: TextPattern, most: number): readonly number[] | undefined {
    let found: ReadonlySet<number> | undefined;
    for (const word of new Set(words(text))) {
      const rows = this.#rowsWith(word, maxEditsFor(word, edits));
      const before = found;
      found = before === undefined ? rows : new Set([...rows].filter((row) => before.has(row)));
    }
    if (found === undefined) return [];
    return found.size > most ? undefined : [...found];
  }

  #rowsWith(word: string, edits: number): ReadonlySet<number> {
    const letters = lettersOf(word);
    const found = new Set<number>();
    for (let place = 0; place < this.#words.length; place++) {
      const others = this.#letters[place] ?? 0;
      // An edit adds at most one letter, and removes at most one.
      if (bitCount(letters & ~others) > edits || bitCount(others & ~letters) > edits) continue;
      if (isWithinEdits(word, this.#words[place] ?? '', edits))
        for (const row of this.#rows[place] ?? []) found.add(row);
    }
    return found;
  }
}

function lettersOf(word: string): number {
  let letters = 0;
  for (const letter of word) letters |= 1 << ((letter.codePointAt(0) ?? 0) & 31);
  return letters;
}

/** Adds neighbouring bits in pairs, fours, and bytes. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
