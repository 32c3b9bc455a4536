import { describe, expect, test } from 'vitest';
import { ContextScorer, type CountedNode } from './context-scorer.js';
import { QueryWords, sumCounts } from './query-words.js';

const words = new QueryWords('kayak boat');
const scorer = new ContextScorer(
  { inTexts: [1, 1], inNodes: [0, 0], isFunctionWord: [false, false] },
  { text: 20, node: 100 },
);

function node(name: string, ...observations: string[]): CountedNode {
  const own = words.count(name);
  const texts = observations.map((text) => words.count(text));
  return { own, texts, inOrder: true, ...sumCounts([own, ...texts]) };
}

const scores = (...texts: string[]) => scorer.score(node('a', ...texts)).texts;
const long = (text: string) => `${text} ${'filler '.repeat(300)}`;

describe('the score of a text in its context', () => {
  test('gains more from a neighbour with a word it lacks than from one with a word it has', () => {
    const [, alone = 0] = scores('x', 'kayak', 'x');
    const [, same = 0] = scores('kayak', 'kayak', 'x');
    const [, other = 0] = scores('boat', 'kayak', 'x');
    expect(same).toBeGreaterThan(alone);
    expect(other - alone).toBeGreaterThan(same - alone);
  });

  test('gains less from neighbours the longer the text is', () => {
    const gain = (text: string) => (scores('boat', text)[1] ?? 0) - (scores('x', text)[1] ?? 0);
    expect(gain(long('kayak'))).toBeLessThan(gain('kayak') / 2);
    expect(gain(long('kayak'))).toBeGreaterThan(0);
  });

  test('is higher for a word with which several texts of the node begin, unless nearly all do', () => {
    const apart = ['x', 'y', 'z', 'x', 'y', 'z'];
    const [said = 0, addressed = 0] = scores('kayak x', 'x kayak', ...apart, 'kayak y', ...apart, 'kayak z');
    expect(said).toBeGreaterThan(addressed);
    const [twice = 0, inside = 0] = scores('kayak x', 'x kayak', ...apart, 'kayak y', ...apart);
    expect(twice).toBe(inside);
    const [all = 0, , , last = 0] = scores('kayak x', 'kayak y', 'kayak z', 'kayak');
    expect(all).toBeLessThanOrEqual(last + 0.05);
  });

  test('is never above what all words of the query weigh', () => {
    const many = 'kayak boat '.repeat(50);
    const [, middle = 0] = scores(`${many}?`, many, many);
    expect(middle).toBeLessThanOrEqual(2);
  });

  test('includes the name of its node, if the text or one beside it has a word of the query', () => {
    const { own, texts } = scorer.score(node('boat', 'kayak', 'x', 'y', 'z'));
    const [without = 0] = scores('kayak', 'x', 'y', 'z');
    expect(texts[0]).toBeGreaterThan(Math.max(own, without));
    expect(texts[3]).toBe(0);
  });

  test('takes nothing from texts that are not known to be beside it', () => {
    const { texts } = scorer.score({ ...node('a', 'boat', 'kayak'), inOrder: false });
    expect(texts[1]).toBe(scores('x', 'kayak')[1]);
  });
});
