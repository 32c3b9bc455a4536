import type { Json } from '../../../src/model/json.js';
import type { TextCondition } from '../../../src/store/row-query.js';
import { words } from '../../../src/store/text/words.js';
import type { Truth } from './values.js';

/** Whether the words of a search are in a property; the cutting of words is the one that all stores share. */
export function hasWords(property: Json, { kind, text, edits }: TextCondition): Truth {
  if (property === null) return null;
  const texts = (Array.isArray(property) ? property : [property]).filter((each) => typeof each === 'string');
  const wanted = words(text);
  if (wanted.length === 0) return false;
  const found = texts.flatMap((each) => words(each));
  switch (kind) {
    case 'search':
      return wanted.every((word) => found.includes(word));
    case 'match_text':
      return texts.some((each) => ` ${words(each).join(' ')} `.includes(` ${wanted.join(' ')} `));
    case 'fuzzy':
      return wanted.every((word) => {
        const most = edits ?? (Array.from(word).length <= 5 ? 1 : 2);
        return found.some((other) => editsBetween(Array.from(word), Array.from(other)) <= most);
      });
  }
}

/** By definition: take a letter away, put one in, or replace one. */
function editsBetween(a: readonly string[], b: readonly string[]): number {
  const known = new Map<string, number>();
  const from = (i: number, j: number): number => {
    if (i === a.length) return b.length - j;
    if (j === b.length) return a.length - i;
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const edits =
      a[i] === b[j] ? from(i + 1, j + 1) : 1 + Math.min(from(i + 1, j), from(i, j + 1), from(i + 1, j + 1));
    known.set(key, edits);
    return edits;
  };
  return from(0, 0);
}
