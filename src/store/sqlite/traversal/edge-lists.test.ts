import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EdgeLists } from './edge-lists.js';

const edgeLists = (...pairs: readonly (readonly [number, number])[]) =>
  new EdgeLists(Int32Array.from(pairs.flat()));
const sorted = (nodes: readonly number[]) => [...nodes].sort((a, b) => a - b);

test('each node is found once, at its shortest distance', () => {
  const lists = edgeLists([1, 2], [1, 3], [2, 4], [3, 4], [4, 5], [2, 5]);
  expect(sorted(lists.reach(1, 'out', 1, 9))).toEqual([2, 3, 4, 5]);
  expect(sorted(lists.reach(1, 'out', 2, 2))).toEqual([4, 5]);
  expect(lists.reach(1, 'out', 3, 9)).toEqual([]);
  expect(sorted(lists.reach(5, 'in', 1, 1))).toEqual([2, 4]);
  expect(sorted(lists.reach(3, 'both', 1, 1))).toEqual([1, 4]);
  expect(sorted(lists.reach(1, 'out', 0, 1))).toEqual([1, 2, 3]);
});

test('only an edge from the start to itself leads back to it, as one step', () => {
  const lists = edgeLists([1, 1], [1, 2], [2, 1], [2, 2]);
  expect(sorted(lists.reach(1, 'out', 1, 3))).toEqual([1, 2]);
  expect(lists.reach(1, 'out', 2, 3)).toEqual([]);
  expect(edgeLists([1, 2], [2, 1]).reach(1, 'out', 1, 4)).toEqual([2]);
});

test('a node without edges, and one beyond all others, lead nowhere', () => {
  expect(edgeLists([1, 2]).reach(2, 'out', 1, 3)).toEqual([]);
  expect(edgeLists([1, 2]).reach(1_000, 'both', 1, 3)).toEqual([]);
  expect(edgeLists().reach(1, 'both', 1, 3)).toEqual([]);
});

test('lists that were changed are those that were read again', () => {
  const node = fc.integer({ min: 1, max: 8 });
  const pairs = fc.uniqueArray(fc.tuple(node, node), { selector: String, maxLength: 20 });
  const changes = fc.array(
    fc.tuple(
      node.map((each) => each * 2),
      node,
      fc.boolean(),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(
      pairs,
      changes,
      node,
      fc.constantFrom('out', 'in', 'both'),
      (before, changed, source, way) => {
        const lists = edgeLists(...before);
        const now = new Map(before.map((pair) => [String(pair), pair]));
        for (const [from, to, isConnected] of changed) {
          lists.set(from, to, isConnected);
          if (isConnected) now.set(String([from, to]), [from, to]);
          else now.delete(String([from, to]));
        }
        const fresh = edgeLists(...now.values());
        for (const [min, max] of [
          [1, 1],
          [1, 3],
          [2, 4],
          [0, 2],
        ] as const)
          expect(sorted(lists.reach(source, way, min, max))).toEqual(
            sorted(fresh.reach(source, way, min, max)),
          );
      },
    ),
  );
});
