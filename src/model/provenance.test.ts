import { describe, expect, test } from 'vitest';
import { provenanceWith } from './provenance.js';

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
