import { describe, expect, test } from 'vitest';
import { namesakeOfStamp, provenanceOver, provenanceWith, trueProvenance } from './provenance.js';

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
    expect(provenanceWith(before, { langs: ['en', 'de'], age: 40, email: 'a@b' })).toEqual(before.provenance);
  });

  test('goes with its value, and leaves the rest alone', () => {
    expect(provenanceWith(before, { email: 'a@b', age: '40', langs: ['en'] })).toEqual({
      ...stamp('cv'),
      merge_keys: ['email'],
      properties: { email: stamp('cv') },
    });
    expect(provenanceWith(before, {})).toEqual({ ...stamp('cv'), merge_keys: ['email'] });
  });

  test('is not taken from what every object has', () => {
    const odd = {
      props: JSON.parse('{"__proto__":1,"a":1}'),
      provenance: { properties: JSON.parse('{"__proto__":{},"constructor":{},"a":{}}') },
    };
    const after = provenanceWith(odd, JSON.parse('{"__proto__":1}'));
    expect(JSON.stringify(after)).toBe('{"properties":{"__proto__":{}}}');
  });

  test('is of no concern where there is none', () => {
    expect(provenanceWith({ props: {}, provenance: null }, { a: 1 })).toBeNull();
    expect(provenanceWith({ props: {}, provenance: stamp('cv') }, { a: 1 })).toEqual(stamp('cv'));
  });
});

describe('a given provenance', () => {
  test('is the newer stamp, and leaves what was known of the other properties', () => {
    const given = { source: 'export', properties: { age: stamp('export') } };
    expect(provenanceOver(before.provenance, given)).toEqual({
      source: 'export',
      merge_keys: ['email'],
      properties: { email: stamp('cv'), age: stamp('export'), langs: stamp('form') },
    });
    expect(provenanceOver(null, stamp('export'))).toEqual(stamp('export'));
    expect(provenanceOver(before.provenance, { merge_keys: ['age'] }).merge_keys).toEqual(['age']);
  });

  test('says nothing of properties that are not there', () => {
    const props = { age: 40 };
    expect(trueProvenance({ props, provenance: before.provenance })?.properties).toEqual({
      age: stamp('form'),
    });
    expect(trueProvenance({ props: {}, provenance: before.provenance })).toEqual({
      ...stamp('cv'),
      merge_keys: ['email'],
    });
    expect(trueProvenance({ props, provenance: null })).toBeNull();
  });
});

test('a property has a namesake in a stamp only if that has the field', () => {
  expect(namesakeOfStamp({ age: 1, confidence: 1 }, stamp('cv'))).toBe('confidence');
  expect(namesakeOfStamp({ extraction_method: 'api', confidence: null }, stamp('cv'))).toBeUndefined();
  expect(namesakeOfStamp({ confidence: 1 }, null)).toBeUndefined();
});
