import type { Json } from '../../model/json.js';
import type { TextCondition } from '../row-query.js';
import { isWithinEdits } from './within-edits.js';
import { memoized, words } from './words.js';

export type TextPattern = Omit<TextCondition, 'operand'>;

/** Up to this length one letter may differ, in longer words two. */
const shortWord = 5;

export function textMatcher({ kind, text, edits }: TextPattern): (value: Json) => boolean {
  const run = words(text);
  const wanted = [...new Set(run)];
  if (wanted.length === 0) return () => false;
  switch (kind) {
    case 'search':
      return (value) => {
        const found = new Set(textsIn(value).flatMap(words));
        return wanted.every((word) => found.has(word));
      };
    case 'match_text':
      return (value) => textsIn(value).some((each) => containsSequence(words(each), run));
    case 'fuzzy': {
      const almost = wanted.map((word) => fuzzyMatcher(word, maxEditsFor(word, edits)));
      return (value) => {
        const found = textsIn(value).flatMap(words);
        return almost.every((isLike) => found.some(isLike));
      };
    }
  }
}

export function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}

function containsSequence(found: readonly string[], wanted: readonly string[]): boolean {
  return found.some((_, at) => wanted.every((word, index) => found[at + index] === word));
}

export function maxEditsFor(word: string, edits: number | null): number {
  return edits ?? (Array.from(word).length <= shortWord ? 1 : 2);
}

function fuzzyMatcher(word: string, edits: number): (other: string) => boolean {
  // Texts repeat the same words.
  return memoized(50_000, (other) => isWithinEdits(word, other, edits));
}
