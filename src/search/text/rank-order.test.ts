import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RankKey, rankOrder } from './rank-texts.js';

/** Few values, so that ties of every kind come up. */
const few = fc.integer({ min: 0, max: 3 });
const placed: fc.Arbitrary<RankKey> = fc.record({
  node: fc.integer({ min: 1, max: 8 }),
  ordinal: fc.option(fc.integer({ min: 1, max: 3 })),
  score: fc.constantFrom(0.1 + 0.2, 0.3, 1),
});
/** When some nodes were made, which need not be in the order of their ids. */
const known = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.record({ seq: few, position: few })), {
    selector: ([node]) => node,
  })
  .map((nodes) => new Map(nodes.map(([node, order]) => [node, { order }])));

describe('the order of ranked texts', () => {
  test('is the same for either side', () => {
    fc.assert(
      fc.property(known, placed, placed, (nodes, a, b) => {
        const compare = rankOrder(nodes);
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
      }),
    );
  });

  test('leaves only the same text in the same place', () => {
    fc.assert(
      fc.property(known, placed, placed, (nodes, a, b) => {
        const same = a.node === b.node && a.ordinal === b.ordinal && a.score === b.score;
        expect(rankOrder(nodes)(a, b) === 0).toBe(same);
      }),
    );
  });

  test('holds across a third text', () => {
    fc.assert(
      fc.property(known, placed, placed, placed, (nodes, a, b, c) => {
        const compare = rankOrder(nodes);
        fc.pre(compare(a, b) <= 0 && compare(b, c) <= 0);
        expect(compare(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('comes out of any shuffle', () => {
    const shuffled = fc
      .array(placed, { maxLength: 20 })
      .chain((texts) =>
        fc.tuple(
          fc.constant(texts),
          fc.shuffledSubarray(texts, { minLength: texts.length, maxLength: texts.length }),
        ),
      );
    fc.assert(
      fc.property(known, shuffled, (nodes, [texts, others]) => {
        const compare = rankOrder(nodes);
        expect([...others].sort(compare)).toEqual([...texts].sort(compare));
      }),
    );
  });

  test('puts nodes that are known in the order they were made, before those of which only the id is', () => {
    const nodes = new Map([
      [1, { order: { seq: 9, position: 0 } }],
      [3, { order: { seq: 2, position: 0 } }],
    ]);
    const texts = [1, 2, 3].map((node) => ({ node, ordinal: null, score: 1 }));
    expect(texts.sort(rankOrder(nodes)).map(({ node }) => node)).toEqual([3, 1, 2]);
  });
});
