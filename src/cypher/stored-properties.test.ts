import { expect, test } from 'vitest';
import { parseStored, provenanceText, stampOfProvenance } from './stored-properties.js';

const first = {
  source: 'a',
  extraction_method: 'api',
  confidence: 0.3,
  last_updated: '2026-01-01T00:00:00.000Z',
};
const second = { ...first, source: 'b', suspicious: ['new_role'] };
const provenance = {
  ...first,
  merge_keys: ['name'],
  suspicious: ['new_role'],
  properties: { name: first, age: first, note: second, __proto__x: second },
};

test('provenance is read as it was written, and what properties share is stored once', () => {
  const text = provenanceText(provenance, 'call 1');
  const stored = { name: 'Ada', age: 36, ...stampOfProvenance(provenance), _provenance: text };
  expect(parseStored(stored)).toEqual({
    properties: { name: 'Ada', age: 36 },
    provenance,
    writeId: 'call 1',
    revision: text,
  });
  expect(text.match(/"source":"a"/g)).toHaveLength(1);
});

test('what an older gate wrote is read', () => {
  const { merge_keys, suspicious, properties } = provenance;
  const text = JSON.stringify({ write: 'call 1', merge_keys, properties, suspicious });
  expect(parseStored({ ...stampOfProvenance(provenance), _provenance: text }).provenance).toEqual(provenance);
});

test.each(['', 'no JSON', '[1]', '7', 'null'])('%j is not of a gate', (text) => {
  expect(parseStored({ name: 'Ada', source: 'mine', _provenance: text })).toMatchObject({
    properties: { name: 'Ada', source: 'mine' },
    provenance: null,
  });
});

test.each([
  '{"properties":{"a":5}}',
  '{"properties":{"a":0},"origins":[7]}',
  '{"properties":{"a":"x"},"origins":{"x":{}}}',
])('numbers without provenance are ignored: %s', (text) => {
  expect(parseStored({ _provenance: text }).provenance).toEqual({ properties: {} });
});

test.each([
  { confidence: 7 },
  { confidence: -1 },
  { confidence: 'high' },
  { last_updated: 'yesterday' },
  { last_updated: 5 },
  { source: {} },
  { extraction_method: null },
  { derived_from: 'Ada' },
  { derived_from: [1] },
])('a stamp that no gate wrote is ignored: %j', (changed) => {
  const [field = ''] = Object.keys(changed);
  const { [field]: _, ...rest } = { ...first, derived_from: ['Bob'] } as Record<string, unknown>;
  const damaged = { ...first, derived_from: ['Bob'], ...changed };
  const text = JSON.stringify({ properties: { name: 0 }, origins: [damaged] });
  expect(parseStored({ name: 'Ada', ...damaged, _provenance: text }).provenance).toEqual({
    ...rest,
    properties: { name: rest },
  });
});
