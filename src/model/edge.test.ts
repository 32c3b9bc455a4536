import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgeFromKey, edgeKey } from './edge.js';

test('the key of an edge says which edge it is', () => {
  const edge = fc.record({
    from: fc.integer(),
    to: fc.integer(),
    type: fc.string({ unit: 'binary' }),
    key: fc.string({ unit: 'binary' }),
  });
  fc.assert(
    fc.property(edge, (identity) => {
      expect(edgeFromKey(edgeKey(identity))).toEqual(identity);
    }),
  );
});
