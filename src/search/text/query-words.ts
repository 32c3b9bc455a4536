import { limits } from '../../model/limits.js';
import { checkText } from '../../model/text.js';
import type { CountedText } from '../../store/text/bm25.js';
import { cachedStems } from '../../store/text/words.js';

/** The first words of a longer query say what it is about. */
const maxWords = 64;

export const noWordsMessage = 'The query has no letter or digit. Use words.';

export function hasWords(query: string): boolean {
  return /[\p{L}\p{N}]/u.test(query);
}

/** A text, counted for a query. */
export interface CountedWords extends CountedText {
  /** The position of its first word in the query; undefined if the query does not have it. */
  readonly lead: number | undefined;
  /** Whether it has a question: then the next text may be the answer. */
  readonly asks: boolean;
}

/** The distinct stems of a query, and how often each occurs in a text. */
export class QueryWords {
  readonly stems: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #counted = new Map<string, CountedWords>();
  /** The times of every text without a word of the query. */
  readonly #absent: readonly number[];

  constructor(query: string) {
    checkText(query, 'The query', limits.queryLength);
    this.stems = [...new Set(cachedStems(query))].slice(0, maxWords);
    this.#places = new Map(this.stems.map((stem, place) => [stem, place]));
    this.#absent = this.stems.map(() => 0);
  }

  count(text: string): CountedWords {
    const known = this.#counted.get(text);
    if (known !== undefined) return known;
    const counted = this.#count(text);
    this.#counted.set(text, counted);
    return counted;
  }

  occurIn(text: string): boolean {
    return this.count(text).times.some((times) => times > 0);
  }

  #count(text: string): CountedWords {
    let times: number[] | undefined;
    const words = cachedStems(text);
    for (const word of words) {
      const place = this.#places.get(word);
      if (place === undefined) continue;
      times ??= [...this.#absent];
      times[place] = (times[place] ?? 0) + 1;
    }
    return {
      ...{ times: times ?? this.#absent, length: words.length },
      ...{ lead: this.#places.get(words[0] ?? ''), asks: questionMark.test(text) },
    };
  }
}

const questionMark = /[?？؟]/u;

/** Several texts counted as one. */
export function sumCounts(texts: readonly CountedText[]): CountedText {
  const times: number[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    for (let place = 0; place < text.times.length; place++) {
      times[place] = (times[place] ?? 0) + (text.times[place] ?? 0);
    }
  }
  return { times, length };
}
