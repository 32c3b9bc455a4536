import { stemOf, stems, truncateWord } from './words.js';

export interface StemCounts {
  /** For each of the stems, in their order. */
  readonly times: readonly number[];
  /** In words. */
  readonly length: number;
  /** The place of its first word among the stems; undefined if it is none of them. */
  readonly lead: number | undefined;
}

/** The lower case of letters and digits by their code, 0 for everything else. */
const wordCharacters = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});
const i = 'i'.charCodeAt(0);
const y = 'y'.charCodeAt(0);

/**
 * Counts some stems in texts, as if it compared `stems(text)`, but most words of ASCII are neither cut out nor stemmed:
 * stemming keeps the first two letters of a word, except that it may leave only the first, or turn a `y` into an `i`.
 */
export class StemCounter {
  readonly #places: ReadonlyMap<string, number>;
  /** The times of every text without one of the stems. */
  readonly #absent: readonly number[];
  /** By the codes of two characters, whether a word that begins with them may have one of the stems. */
  readonly #beginnings = new Uint8Array(128 * 128);

  constructor(wanted: readonly string[]) {
    this.#places = new Map(wanted.map((stem, place) => [stem, place]));
    this.#absent = wanted.map(() => 0);
    for (const stem of wanted) this.#addBeginnings(stem.charCodeAt(0), stem.charCodeAt(1));
  }

  count(text: string): StemCounts {
    let times: number[] | undefined;
    let length = 0;
    let lead: number | undefined;
    let [begin, first, second] = [-1, 0, 0];
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      if (code > 127) return this.#countStems(stems(text));
      const character = wordCharacters[code] ?? 0;
      if (character !== 0) {
        if (begin < 0) {
          begin = at;
          first = character;
          second = 0;
        } else if (at === begin + 1) second = character;
        continue;
      }
      if (begin < 0) continue;
      if (this.#beginnings[first * 128 + second] === 1) {
        const place = this.#places.get(stemOf(truncateWord(text.slice(begin, at).toLowerCase())));
        if (place !== undefined) {
          times ??= [...this.#absent];
          times[place] = (times[place] ?? 0) + 1;
          if (length === 0) lead = place;
        }
      }
      length += 1;
      begin = -1;
    }
    return { times: times ?? this.#absent, length, lead };
  }

  #countStems(found: readonly string[]): StemCounts {
    const times = [...this.#absent];
    for (const stem of found) {
      const place = this.#places.get(stem);
      if (place !== undefined) times[place] = (times[place] ?? 0) + 1;
    }
    return { times, length: found.length, lead: this.#places.get(found[0] ?? '') };
  }

  #addBeginnings(first: number, second: number): void {
    if (first > 127 || second > 127) return;
    const row = this.#beginnings.subarray(first * 128, first * 128 + 128);
    if (Number.isNaN(second)) row.fill(1);
    else row[second] = 1;
    if (second === i) row[y] = 1;
  }
}
