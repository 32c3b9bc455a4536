import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SettledNodes } from './settled-nodes.js';

const ids = fc.oneof(fc.nat({ max: 3_000 }), fc.maxSafeNat());
const steps = fc.array(fc.record({ id: ids, type: fc.option(fc.constantFrom('A', 'B', 'C')) }));

test('a node has the last type that it was given, until it is deleted', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const [expected, nodes] = [new Map<number, string>(), new SettledNodes()];
      for (const { id, type } of given) {
        if (type === null) {
          expected.delete(id);
          nodes.delete(id);
        } else {
          expected.set(id, type);
          nodes.add(id, type);
        }
      }
      for (const { id } of given) expect(nodes.get(id)?.type).toBe(expected.get(id));
    }),
  );
});
