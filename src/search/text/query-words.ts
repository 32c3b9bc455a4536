import { limits } from '../../model/limits.js';
import { checkText } from '../../model/text.js';
import type { CountedText } from '../../store/text/bm25.js';
import { StemCounter, type StemCounts } from '../../store/text/stem-counter.js';
import { cachedStems } from '../../store/text/words.js';

/** The first words of a longer query say what it is about. */
const maxWords = 64;

export const noWordsMessage = 'The query has no letter or digit. Use words.';

/** A text, counted for a query. */
export interface CountedWords extends StemCounts {
  /** Whether it has a question: then the next text may be the answer. */
  readonly asks: boolean;
}

/** The distinct stems of a query, and how often each occurs in a text. */
export class QueryWords {
  readonly stems: readonly string[];
  readonly #counter: StemCounter;

  constructor(query: string) {
    checkText(query, 'The query', limits.queryLength);
    this.stems = [...new Set(cachedStems(query))].slice(0, maxWords);
    this.#counter = new StemCounter(this.stems);
  }

  count(text: string): CountedWords {
    const { times, length, lead } = this.#counter.count(text);
    return { times, length, lead, asks: questionMark.test(text) };
  }

  occurIn(text: string): boolean {
    return this.count(text).times.some((times) => times > 0);
  }
}

const questionMark = /[?？؟]/u;

/** Several texts counted as one. */
export function sumCounts(texts: readonly CountedText[]): CountedText {
  const times = [...(texts[0]?.times ?? [])];
  let length = texts[0]?.length ?? 0;
  for (let at = 1; at < texts.length; at++) {
    const text = texts[at];
    if (text === undefined) continue;
    length += text.length;
    for (let place = 0; place < text.times.length; place++) {
      times[place] = (times[place] ?? 0) + (text.times[place] ?? 0);
    }
  }
  return { times, length };
}
