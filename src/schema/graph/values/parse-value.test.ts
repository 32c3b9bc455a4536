import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { Scalar, ValueType } from '../../../model/value-type.js';
import { parseValue } from './parse-value.js';

const of = (scalar: Scalar): ValueType => ({ kind: 'scalar', scalar, nullable: false });

/** For each scalar: valid values with their canonical form, and invalid ones with the message. */
const cases: readonly {
  readonly scalar: Scalar;
  readonly taken: readonly (readonly [given: unknown, kept: unknown])[];
  readonly refused: readonly (readonly [given: unknown, reason: RegExp])[];
}[] = [
  {
    scalar: 'String',
    taken: [
      ['', ''],
      ['"quoted"; drop table', '"quoted"; drop table'],
      ['😀', '😀'],
    ],
    refused: [
      [1, /must be String, but is the number 1\./],
      [null, /must be String, but is null\./],
      [undefined, /but is missing\./],
      ['a\0b', /NUL/],
      ['\uD800', /surrogate/],
      [['a'], /a list of 1/],
      [{}, /an object/],
    ],
  },
  {
    scalar: 'Bool',
    taken: [
      [true, true],
      [false, false],
    ],
    refused: [
      ['true', /must be Bool, but is the string "true"/],
      [1, /the number 1/],
    ],
  },
  {
    scalar: 'I32',
    taken: [
      [2147483647, 2147483647],
      [-2147483648, -2147483648],
      [-0, 0],
    ],
    refused: [
      [2147483648, /must be in -2147483648\.\.2147483647/],
      [1.5, /not a whole number/],
      ['1', /must be I32, but is the string "1"/],
      [Number.NaN, /not a whole number/],
      [true, /but is true/],
    ],
  },
  {
    scalar: 'U32',
    taken: [[4294967295, 4294967295]],
    refused: [
      [-1, /must be in 0\.\.4294967295/],
      [4294967296, /must be in/],
    ],
  },
  {
    scalar: 'I64',
    taken: [
      [5, 5],
      ['5', 5],
      ['-0', 0],
      ['007', 7],
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', '9007199254740993'],
      ['-9223372036854775808', '-9223372036854775808'],
    ],
    refused: [
      ['9223372036854775808', /must be in -9223372036854775808\.\.9223372036854775807/],
      [2 ** 60, /not exact beyond 2\^53; send a string of digits/],
      [0.5, /not a whole number/],
      ['1.0', /not a string of digits/],
      ['', /not a string of digits/],
      [' 1', /not a string of digits/],
      ['0x10', /not a string of digits/],
      ['9'.repeat(1000), /not a string of digits/],
      [null, /null/],
    ],
  },
  {
    scalar: 'U64',
    taken: [['18446744073709551615', '18446744073709551615']],
    refused: [
      ['18446744073709551616', /must be in 0\.\./],
      ['-1', /must be in 0\.\./],
    ],
  },
  {
    scalar: 'F32',
    taken: [
      [0.1, 0.1],
      [1, 1],
    ],
    refused: [
      [1e39, /too large/],
      ['0.1', /must be F32/],
    ],
  },
  {
    scalar: 'F64',
    taken: [
      [1e308, 1e308],
      [-0, 0],
    ],
    refused: [
      [Number.POSITIVE_INFINITY, /not finite/],
      [Number.NaN, /not finite/],
    ],
  },
  {
    scalar: 'Date',
    taken: [
      ['2024-02-29', '2024-02-29'],
      ['0001-01-01', '0001-01-01'],
    ],
    refused: [
      ['2023-02-29', /date does not exist/],
      ['2023-13-01', /date does not exist/],
      ['0000-01-01', /date does not exist/],
      ['2023-1-1', /as YYYY-MM-DD/],
      ['2023-01-01T00:00:00Z', /as YYYY-MM-DD/],
      [20230101, /must be Date/],
    ],
  },
  {
    scalar: 'DateTime',
    taken: [
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T01:30:00.5+02:00', '2025-12-31T23:30:00.500Z'],
      ['2026-01-01 00:00-0130', '2026-01-01T01:30:00.000Z'],
      ['2026-01-01t00:00:00.123456789z', '2026-01-01T00:00:00.123Z'],
    ],
    refused: [
      ['2026-01-01T00:00:00', /with Z or an offset/],
      ['2026-01-01', /with Z or an offset/],
      ['2026-02-30T00:00:00Z', /time does not exist/],
      ['2026-01-01T24:00:00Z', /time does not exist/],
      ['2026-01-01T23:60:00Z', /time does not exist/],
      ['2026-01-01T23:59:60Z', /time does not exist/],
      ['2026-01-01T00:00:00+99:00', /time does not exist/],
      ['0001-01-01T00:00:00+01:00', /time does not exist/],
      ['9999-12-31T23:59:59-01:00', /time does not exist/],
      [0, /must be DateTime/],
    ],
  },
  {
    scalar: 'Blob',
    taken: [
      ['base64:', 'base64:'],
      ['base64:aGk=', 'base64:aGk='],
    ],
    refused: [
      ['aGk=', /as base64:…/],
      ['base64:aGk', /with padding/],
      ['base64:a-_=', /not base64/],
      ['base64:a Gk=', /not base64/],
    ],
  },
];

describe.each(cases)('$scalar', ({ scalar, taken, refused }) => {
  test.each(taken)('keeps %j as %j', (given, kept) => {
    expect(parseValue(of(scalar), given)).toEqual({ value: kept });
  });

  test.each(refused)('refuses %j', (given, reason) => {
    expect(parseValue(of(scalar), given)).toEqual({ reason: expect.stringMatching(reason) });
  });

  test('keeps a canonical value as it is', () => {
    for (const [, kept] of taken) expect(parseValue(of(scalar), kept)).toEqual({ value: kept });
  });

  test('takes null only if it may be null', () => {
    expect(parseValue({ kind: 'scalar', scalar, nullable: true }, null)).toEqual({ value: null });
    expect(parseValue(of(scalar), null)).toHaveProperty('reason');
  });
});

describe('a blob of a parameter', () => {
  test('may come without its mark, and gets it', () => {
    expect(parseValue(of('Blob'), 'aGk=', { plainBase64: true })).toEqual({ value: 'base64:aGk=' });
    expect(parseValue(of('Blob'), 'base64:aGk=', { plainBase64: true })).toEqual({ value: 'base64:aGk=' });
    expect(
      parseValue({ kind: 'list', of: 'Blob', nullable: false }, ['aGk='], { plainBase64: true }),
    ).toEqual({
      value: ['base64:aGk='],
    });
  });
});

describe('a list', () => {
  const list: ValueType = { kind: 'list', of: 'I64', nullable: false };

  test('has values of one scalar, each in its canonical form', () => {
    expect(parseValue(list, ['1', 2])).toEqual({ value: [1, 2] });
    expect(parseValue(list, [])).toEqual({ value: [] });
  });

  test.each([
    [[1, null], /must be \[I64\], but is a list of 2: item 1 is null/],
    [[1, 'x'], /item 1 is the string "x": it is not a string of digits/],
    [1, /must be \[I64\], but is the number 1/],
    [{ length: 1 }, /an object/],
    [new Array(graphSchemaLimits.listItems + 1).fill(1), /at most 100000 are allowed/],
  ])('is refused (%#)', (given, reason) => {
    expect(parseValue(list, given)).toEqual({ reason: expect.stringMatching(reason) });
  });
});

describe('a vector', () => {
  const vector: ValueType = { kind: 'vector', dimension: 2, nullable: false };

  test('has its exact length of finite numbers', () => {
    expect(parseValue(vector, [1, -0.5])).toEqual({ value: [1, -0.5] });
  });

  test.each([
    [[1], /must be Vector\(2\), but is a list of 1: it has 1 numbers, not 2/],
    [[1, 2, 3], /3 numbers, not 2/],
    [[1, '2'], /item 1 is the string "2"/],
    [[1, Number.NaN], /not finite/],
    ['[1, 2]', /the string/],
  ])('is refused (%#)', (given, reason) => {
    expect(parseValue(vector, given)).toEqual({ reason: expect.stringMatching(reason) });
  });
});

describe('an enum', () => {
  const level: ValueType = { kind: 'enum', values: ['easy', 'hard', '__proto__'], nullable: false };

  test('takes its values', () => {
    expect(parseValue(level, '__proto__')).toEqual({ value: '__proto__' });
  });

  test.each([
    ['eazy', /must be one of easy, hard, __proto__, but is the string "eazy"\. Did you mean "easy"\?/],
    ['constructor', /must be one of/],
    [0, /must be enum\(easy, hard, __proto__\), but is the number 0/],
  ])('refuses %j', (given, reason) => {
    expect(parseValue(level, given)).toEqual({ reason: expect.stringMatching(reason) });
  });
});

test('a day is taken if and only if the calendar has it', () => {
  const digits = (length: number, max: number) =>
    fc.nat(max).map((value) => String(value).padStart(length, '0'));
  fc.assert(
    fc.property(fc.tuple(digits(4, 9999), digits(2, 14), digits(2, 33)), (parts) => {
      const given = parts.join('-');
      const parsed = new Date(`${given}T00:00:00Z`);
      const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(given);
      expect('value' in parseValue(of('Date'), given)).toBe(exists && !given.startsWith('0000'));
    }),
    { numRuns: 2000 },
  );
});

test('a moment is the same whatever its offset', () => {
  const within = {
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  };
  fc.assert(
    fc.property(fc.date(within), fc.integer({ min: -1439, max: 1439 }), (moment, minutes) => {
      const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const two = (value: number) => String(value).padStart(2, '0');
      const offset = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
      expect(parseValue(of('DateTime'), local + offset)).toEqual({ value: moment.toISOString() });
    }),
    { numRuns: 2000 },
  );
});

test('no type accepts a value that would have to be converted', () => {
  const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
  const allowed: Record<string, string[]> = {
    String: ['string'],
    Blob: ['string'],
    Date: ['string'],
    DateTime: ['string'],
    Bool: ['boolean'],
    I32: ['number'],
    U32: ['number'],
    I64: ['number', 'string'],
    U64: ['number', 'string'],
    F32: ['number'],
    F64: ['number'],
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...cases.map(({ scalar }) => scalar)), (value, scalar) => {
      const parsed = parseValue(of(scalar), value);
      if ('value' in parsed) {
        expect(allowed[scalar]).toContain(kindOf(value));
        expect(parseValue(of(scalar), parsed.value)).toEqual(parsed);
      } else expect(parsed.reason.length).toBeLessThan(400);
    }),
    { numRuns: 2000 },
  );
});
