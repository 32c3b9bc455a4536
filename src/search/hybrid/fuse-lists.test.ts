import { describe, expect, test } from 'vitest';
import type { SimilarText } from '../semantic/rank-by-similarity.js';
import type { RankedText } from '../text/rank-texts.js';
import { fuseLists } from './fuse-lists.js';

const byWords = (scores: Readonly<Record<string, number>>): RankedText[] =>
  Object.entries(scores).map(([text, score]) => ({ node: 1, ordinal: text.charCodeAt(0), text, score }));
const byMeaning = (scores: Readonly<Record<string, number>>): SimilarText[] =>
  byWords(scores).map((text) => ({ ...text, perspective: 'general' }));
const order = (fused: readonly RankedText[]) => fused.map(({ text }) => text).join('');

describe('fusing words and meaning', () => {
  const meant = byMeaning({ c: 0.8, b: 0.5, d: 0.2 });

  test('a text that has nearly all of the query precedes one that only means the same', () => {
    expect(order(fuseLists({ ranked: byWords({ a: 9, b: 4 }), reach: 10 }, meant, 2))).toBe('acbd');
  });

  test('where the best text has little of the query, meaning decides', () => {
    expect(order(fuseLists({ ranked: byWords({ a: 1, b: 0.5 }), reach: 10 }, meant, 2))).toBe('cabd');
    expect(order(fuseLists({ ranked: byWords({ a: 9, b: 8.5 }), reach: 10 }, meant, 2))).toBe('abcd');
  });

  test('where dozens of texts have as much of the query as the best one, meaning decides', () => {
    const other = (at: number, score: number) => ({ node: 2, ordinal: at, text: '', score });
    const found = (others: number) => ({
      ranked: [...byWords({ a: 9 }), ...Array.from({ length: 60 }, (_, at) => other(at, others))],
      reach: 10,
    });
    expect(order(fuseLists(found(1), meant, 2))).toMatch(/^ac/);
    expect(order(fuseLists(found(8.9), meant, 2))).toMatch(/^cb.*a/);
  });

  test('a heavier model counts more, and one without weight leaves the order by words', () => {
    const found = { ranked: byWords({ a: 6, b: 5 }), reach: 10 };
    expect(order(fuseLists(found, meant, 1))).toBe('acbd');
    expect(order(fuseLists(found, meant, 20))).toBe('cabd');
    expect(order(fuseLists(found, meant, 200))).toBe('cbad');
    expect(order(fuseLists(found, meant, 0))).toBe('abcd');
  });

  test('only how far scores are apart counts, not how high all cosines are', () => {
    const found = { ranked: byWords({ a: 6, b: 5 }), reach: 10 };
    const higher = meant.map((text) => ({ ...text, score: text.score + 0.19 }));
    for (const [at, { text, score }] of fuseLists(found, higher, 2).entries()) {
      const before = fuseLists(found, meant, 2)[at];
      expect(text).toBe(before?.text);
      expect(score).toBeCloseTo(before?.score ?? 0, 9);
    }
  });

  test('without words, or without meaning, the other list is the result', () => {
    expect(order(fuseLists({ ranked: [], reach: 0 }, meant, 1))).toBe('cbd');
    expect(order(fuseLists({ ranked: byWords({ a: 2, b: 1 }), reach: 5 }, [], 1))).toBe('ab');
    expect(fuseLists({ ranked: [], reach: 0 }, [], 1)).toEqual([]);
  });

  test('a text far below the best one keeps its place', () => {
    const ranked = byWords({ a: 9_000, b: 2, c: 1 });
    const fused = fuseLists({ ranked, reach: 10 }, [], 1);
    expect(order(fused)).toBe('abc');
    expect(fused.every(({ score }) => Number.isFinite(score))).toBe(true);
  });

  test('a text found both ways names its perspective, one found by words alone has none', () => {
    const fused = fuseLists({ ranked: byWords({ a: 2, b: 1 }), reach: 5 }, meant, 1);
    const perspectives = Object.fromEntries(fused.map(({ text, perspective }) => [text, perspective]));
    expect(perspectives).toEqual({ a: null, b: 'general', c: 'general', d: 'general' });
  });
});
