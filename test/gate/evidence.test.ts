import { expect, test } from 'vitest';
import { mergeProperties } from '../../src/gate/merge-properties.js';
import { storeGateKinds } from './gate-kinds.js';
import { evidence, halfLives } from './suites/evidence.js';

for (const kind of storeGateKinds) evidence(kind);
halfLives();

test('a stored value is compared by what it is worth now: an old one gives way', () => {
  const stamp = {
    ...{ source: 'new', extraction_method: 'api', confidence: 0.5 },
    ...{ write_gate_version: '1', last_updated: '2026-01-01T00:00:00.000Z' },
  };
  const stored = { properties: { age: 30 }, provenance: { properties: { age: { confidence: 0.9 } } } };
  const worth = (confidence: number) => ({
    storedConfidence: () => confidence,
    confidenceIn: () => stamp.confidence,
    confirmedBy: () => [],
  });
  expect(mergeProperties(stored, { age: 31 }, stamp, 'keep', worth(0.9)).properties).toEqual({ age: 30 });
  expect(mergeProperties(stored, { age: 31 }, stamp, 'keep', worth(0.4))).toMatchObject({
    properties: { age: 31 },
    conflicts: [],
  });
});
