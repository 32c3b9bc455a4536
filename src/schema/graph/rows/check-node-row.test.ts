import { describe, expect, test } from 'vitest';
import type { Props } from '../../../model/json.js';
import { parseGraphSchema } from '../parse-graph-schema.js';
import { checkNodeRow } from './check-node-row.js';

const schema = parseGraphSchema(`
  node Recipe {
    slug: String @key
    minutes: I32?
    level: enum(easy, hard) @default(easy)
    servings: U64?
    code: String?
    @range(minutes, 1..600)
    @range(servings, ..1000)
    @check(code, "^[A-Z]{2}")
  }
  node Visit { place: String  day: Date  at: DateTime?  @key(place, day) }
  node Event { what: String? }
  node Flag { on: Bool @key }
  node Count { n: I64 @key }
`);

const problemsOf = (type: string, props: Props) => checkNodeRow(schema, type, props).problems;

describe('a node that fits', () => {
  test('has its values in canonical form, defaults for what is required, and its id', () => {
    expect(checkNodeRow(schema, 'Recipe', { slug: 'soup', servings: '12', minutes: null })).toEqual({
      props: { slug: 'soup', servings: 12, level: 'easy' },
      id: 'soup',
      problems: [],
    });
  });

  test('keeps what other surfaces note under names that begin with _', () => {
    expect(checkNodeRow(schema, 'Event', { _stub: true }).props).toEqual({ _stub: true });
  });

  test('may carry __proto__ as data', () => {
    const { props } = checkNodeRow(schema, 'Event', JSON.parse('{"__proto__": {"x": 1}}'));
    expect(Object.keys(props)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(props)).toBe(Object.prototype);
  });
});

describe('the id of a node', () => {
  test('is the text of its key', () => {
    expect(checkNodeRow(schema, 'Flag', { on: true }).id).toBe('true');
    expect(checkNodeRow(schema, 'Count', { n: '007' }).id).toBe('7');
    expect(checkNodeRow(schema, 'Count', { n: 7 }).id).toBe('7');
    expect(checkNodeRow(schema, 'Count', { n: '9223372036854775807' }).id).toBe('9223372036854775807');
  });

  test('of several members is a JSON array, in the order of the key', () => {
    expect(checkNodeRow(schema, 'Visit', { day: '2026-01-01', place: 'a "b"' }).id).toBe(
      '["a \\"b\\"","2026-01-01"]',
    );
  });

  test('of a type without a key is none', () => {
    expect(checkNodeRow(schema, 'Event', {}).id).toBeNull();
  });

  test('cannot be empty or longer than a name', () => {
    expect(problemsOf('Recipe', { slug: '' })).toMatchObject([{ code: 'bad_key', property: 'slug' }]);
    expect(problemsOf('Recipe', { slug: 'x'.repeat(4097) })).toMatchObject([{ code: 'bad_key' }]);
  });
});

describe('a node does not fit', () => {
  test.each([
    [
      'an unknown type',
      'Recipes',
      {},
      'unknown_type',
      null,
      'The schema has no node "Recipes". Did you mean "Recipe"?',
    ],
    [
      'a type that every object has',
      'constructor',
      {},
      'unknown_type',
      null,
      'The schema has no node "constructor".',
    ],
    [
      'an unknown property',
      'Recipe',
      { slug: 'a', minuts: 1 },
      'unknown_property',
      'minuts',
      'Recipe has no property "minuts". Did you mean "minutes"?',
    ],
    [
      'a property that every object has',
      'Event',
      { constructor: 1 },
      'unknown_property',
      'constructor',
      'Event has no property "constructor".',
    ],
    ['a missing property', 'Recipe', {}, 'missing_property', 'slug', 'Recipe.slug is required.'],
    [
      'null for what is required',
      'Recipe',
      { slug: null },
      'missing_property',
      'slug',
      'Recipe.slug is required.',
    ],
    [
      'null for what has a default',
      'Recipe',
      { slug: 'a', level: null },
      'missing_property',
      'level',
      'Recipe.level is required.',
    ],
    [
      'a value of the wrong type',
      'Recipe',
      { slug: 'a', minutes: '5' },
      'wrong_type',
      'minutes',
      'Recipe.minutes must be I32?, but is the string "5".',
    ],
    [
      'a value that is not in the enum',
      'Recipe',
      { slug: 'a', level: 'hrad' },
      'wrong_type',
      'level',
      'Recipe.level must be one of easy, hard, but is the string "hrad". Did you mean "hard"?',
    ],
    [
      'a number out of range',
      'Recipe',
      { slug: 'a', minutes: 601 },
      'out_of_range',
      'minutes',
      'Recipe.minutes must be in 1..600, but is 601.',
    ],
    [
      'digits out of range',
      'Recipe',
      { slug: 'a', servings: '9007199254740993' },
      'out_of_range',
      'servings',
      'Recipe.servings must be in ..1000, but is 9007199254740993.',
    ],
    [
      'a text that fails its check',
      'Recipe',
      { slug: 'a', code: 'xAB' },
      'check_failed',
      'code',
      'Recipe.code must match "^[A-Z]{2}".',
    ],
  ] as const)('for %s', (_, type, props, code, property, message) => {
    expect(problemsOf(type, props)).toEqual([expect.objectContaining({ code, property, message })]);
  });

  test('with everything that is wrong with it', () => {
    expect(
      problemsOf('Recipe', { minutes: 0, level: 1, x: 1 })
        .map(({ code }) => code)
        .sort(),
    ).toEqual(['missing_property', 'out_of_range', 'unknown_property', 'wrong_type']);
  });
});

test('bounds of a range are exact, however large the number, and included', () => {
  const bounded = parseGraphSchema(`node Big {
    a: I64? b: U64? c: F64?
    @range(a, -9223372036854775807..9007199254740993) @range(b, 9223372036854775809..) @range(c, -1e300..1e18)
  }`);
  const fits = (props: Props) => checkNodeRow(bounded, 'Big', props).problems.length === 0;
  for (const a of ['9007199254740993', '-9223372036854775807', 0]) expect(fits({ a }), String(a)).toBe(true);
  for (const a of ['9007199254740994', '-9223372036854775808']) expect(fits({ a }), a).toBe(false);
  expect(fits({ b: '9223372036854775809' })).toBe(true);
  for (const b of ['9223372036854775808', 5]) expect(fits({ b }), String(b)).toBe(false);
  for (const c of [1e18, -1e300]) expect(fits({ c }), String(c)).toBe(true);
  for (const c of [1e18 + 128, -1e301]) expect(fits({ c }), String(c)).toBe(false);
});

test('a pattern that makes other engines backtrack for ever answers at once', () => {
  const nasty = parseGraphSchema('node A { x: String @check(x, "^(a+)+$") }');
  expect(checkNodeRow(nasty, 'A', { x: `${'a'.repeat(100_000)}!` }).problems).toMatchObject([
    { code: 'check_failed' },
  ]);
});
