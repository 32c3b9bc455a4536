import { describe, expect, test } from 'vitest';
import { findStampCollision, overlayProvenance, pruneProvenance, retainProvenance } from './provenance.js';

const stamp = (source: string) => ({ source, confidence: 0.5 });
const before = {
  props: { email: 'a@b', age: 40, langs: ['en', 'de'] },
  provenance: {
    ...stamp('cv'),
    merge_keys: ['email'],
    properties: { email: stamp('cv'), age: stamp('form'), langs: stamp('form') },
  },
};

describe('the provenance of a property', () => {
  test('stays as long as its value does', () => {
    expect(retainProvenance(before, { langs: ['en', 'de'], age: 40, email: 'a@b' })).toEqual(
      before.provenance,
    );
  });

  test('goes with its value, and leaves the rest alone', () => {
    expect(retainProvenance(before, { email: 'a@b', age: '40', langs: ['en'] })).toEqual({
      ...stamp('cv'),
      merge_keys: ['email'],
      properties: { email: stamp('cv') },
    });
    expect(retainProvenance(before, {})).toEqual({ ...stamp('cv'), merge_keys: ['email'] });
  });

  test('is not taken from what every object has', () => {
    const odd = {
      props: JSON.parse('{"__proto__":1,"a":1}'),
      provenance: { properties: JSON.parse('{"__proto__":{},"constructor":{},"a":{}}') },
    };
    const after = retainProvenance(odd, JSON.parse('{"__proto__":1}'));
    expect(JSON.stringify(after)).toBe('{"properties":{"__proto__":{}}}');
  });

  test('is of no concern where there is none', () => {
    expect(retainProvenance({ props: {}, provenance: null }, { a: 1 })).toBeNull();
    expect(retainProvenance({ props: {}, provenance: stamp('cv') }, { a: 1 })).toEqual(stamp('cv'));
  });
});

describe('a given provenance', () => {
  test('is the newer stamp, and leaves what was known of the other properties', () => {
    const given = { source: 'export', properties: { age: stamp('export') } };
    expect(overlayProvenance(before.provenance, given)).toEqual({
      source: 'export',
      merge_keys: ['email'],
      properties: { email: stamp('cv'), age: stamp('export'), langs: stamp('form') },
    });
    expect(overlayProvenance(null, stamp('export'))).toEqual(stamp('export'));
    expect(overlayProvenance(before.provenance, { merge_keys: ['age'] }).merge_keys).toEqual(['age']);
  });

  test('says nothing of properties that are not there', () => {
    const props = { age: 40 };
    expect(pruneProvenance({ props, provenance: before.provenance })?.properties).toEqual({
      age: stamp('form'),
    });
    expect(pruneProvenance({ props: {}, provenance: before.provenance })).toEqual({
      ...stamp('cv'),
      merge_keys: ['email'],
    });
    expect(pruneProvenance({ props, provenance: null })).toBeNull();
  });
});

test('a property has a namesake in a stamp only if that has the field', () => {
  expect(findStampCollision({ age: 1, confidence: 1 }, stamp('cv'))).toBe('confidence');
  expect(findStampCollision({ extraction_method: 'api', confidence: null }, stamp('cv'))).toBeUndefined();
  expect(findStampCollision({ confidence: 1 }, null)).toBeUndefined();
});
