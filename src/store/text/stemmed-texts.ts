import { Bm25, type Bm25Settings, inverseDocumentFrequency } from './bm25.js';

export interface StemmedText {
  readonly row: number;
  readonly node: number;
  readonly name: string;
  readonly type: string;
  /** In order, with repeats. */
  readonly stems: readonly string[];
}

/** Texts that have one of the words, in parallel lists. */
export interface TextScores {
  readonly texts: readonly Omit<StemmedText, 'stems'>[];
  readonly scores: readonly number[];
}

/**
 * Texts as numbers, one for each word: BM25 of a hundred thousand takes milliseconds, even for a word that all of them
 * have. A node has at most one text.
 */
export class StemmedTexts {
  readonly #numbers = new Map<string, number>();
  /** Of all texts, one after the other. */
  #words = new Uint32Array(1_024);
  #used = 0;
  readonly #texts: (Omit<StemmedText, 'stems'> | null)[] = [];
  /** Where each text begins in `#words`; the next one begins where it ends. */
  readonly #starts: number[] = [0];
  readonly #places = new Map<number, number>();
  #liveWords = 0;

  /** How many words are in memory, those of removed texts included. */
  get size(): number {
    return this.#used;
  }

  /** Whether most of it is removed texts. */
  get isSparse(): boolean {
    return this.#texts.length > 2 * this.#places.size + 1_000;
  }

  put({ stems, ...text }: StemmedText): void {
    this.remove(text.node);
    if (this.#used + stems.length > this.#words.length) this.#grow(this.#used + stems.length);
    for (const stem of stems) {
      this.#words[this.#used] = this.#numberOf(stem);
      this.#used += 1;
    }
    this.#places.set(text.node, this.#texts.length);
    this.#texts.push(text);
    this.#starts.push(this.#used);
    this.#liveWords += stems.length;
  }

  remove(node: number): void {
    const place = this.#places.get(node);
    if (place === undefined) return;
    this.#places.delete(node);
    this.#texts[place] = null;
    this.#liveWords -= (this.#starts[place + 1] ?? 0) - (this.#starts[place] ?? 0);
  }

  /** BM25 of the texts that have one of these stems, which are distinct, among all texts. */
  scores(stems: readonly string[], settings: Bm25Settings): TextScores {
    const { places, counts, frequencies } = this.#count(stems);
    const total = this.#places.size;
    const weights = frequencies.map((frequency) => inverseDocumentFrequency(frequency, total));
    const bm25 = new Bm25(weights, total === 0 ? 1 : this.#liveWords / total, settings);
    const times = new Array<number>(stems.length).fill(0);
    const texts: Omit<StemmedText, 'stems'>[] = [];
    const scores: number[] = [];
    for (let match = 0; match < places.length; match++) {
      const place = places[match] ?? 0;
      const text = this.#texts[place];
      if (text === null || text === undefined) continue;
      for (let index = 0; index < times.length; index++)
        times[index] = counts[match * times.length + index] ?? 0;
      const length = (this.#starts[place + 1] ?? 0) - (this.#starts[place] ?? 0);
      texts.push(text);
      scores.push(bm25.score({ times, length }));
    }
    return { texts, scores };
  }

  /** The texts that have one of the stems, how often each, and how many texts have a stem. */
  #count(stems: readonly string[]) {
    // One more than the position of the stem; 0 for all other words.
    const wanted = new Uint16Array(this.#numbers.size);
    for (const [index, stem] of stems.entries()) {
      const number = this.#numbers.get(stem);
      if (number !== undefined) wanted[number] = index + 1;
    }
    const places: number[] = [];
    const counts: number[] = [];
    const frequencies = new Array<number>(stems.length).fill(0);
    const words = this.#words;
    for (let place = 0, at = 0; place < this.#texts.length; place++) {
      const end = this.#starts[place + 1] ?? 0;
      let base = -1;
      const isLive = this.#texts[place] !== null;
      for (; at < end; at++) {
        const found = wanted[words[at] ?? 0] ?? 0;
        if (found === 0 || !isLive) continue;
        if (base < 0) {
          base = counts.length;
          places.push(place);
          for (let index = 0; index < stems.length; index++) counts.push(0);
        }
        const count = (counts[base + found - 1] ?? 0) + 1;
        counts[base + found - 1] = count;
        if (count === 1) frequencies[found - 1] = (frequencies[found - 1] ?? 0) + 1;
      }
    }
    return { places, counts, frequencies };
  }

  #numberOf(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(stem, number);
    return number;
  }

  #grow(least: number): void {
    const words = new Uint32Array(Math.max(least, 2 * this.#words.length));
    words.set(this.#words);
    this.#words = words;
  }
}
