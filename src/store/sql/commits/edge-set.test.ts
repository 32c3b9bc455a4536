import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgeKey } from '../../../model/edge.js';
import { EdgeSet } from './edge-set.js';

const node = fc.oneof(fc.integer({ min: -3, max: 40 }), fc.integer({ min: 2 ** 26 - 2, max: 2 ** 53 - 1 }));
const edge = fc.record({
  from: node,
  to: node,
  type: fc.constantFrom('knows', 'likes', ''),
  key: fc.constantFrom('', '', '', 'k'),
});

test('a set of edges has what was added to it, once', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 300 }), fc.array(edge), (added, asked) => {
      const set = new EdgeSet();
      for (const one of added) set.add(one);
      const keys = new Set(added.map(edgeKey));
      expect(set.size).toBe(keys.size);
      expect(new Set(Array.from(set, edgeKey))).toEqual(keys);
      expect([...set]).toHaveLength(keys.size);
      for (const one of [...added, ...asked]) expect(set.has(one)).toBe(keys.has(edgeKey(one)));
    }),
  );
});

test('edges come in the order in which they were added', () => {
  const added = Array.from({ length: 5_000 }, (_, index) => ({
    ...{ from: (index * 7919) % 5_003, to: index, type: index % 3 === 0 ? 'a' : 'b', key: '' },
  }));
  const set = new EdgeSet();
  for (const one of [...added, ...added]) set.add(one);
  expect([...set]).toEqual(added);
});
