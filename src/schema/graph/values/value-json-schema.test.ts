import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { ValueType } from '../../../model/value-type.js';
import { scalars } from '../../../model/value-type.js';
import { parseValue } from './parse-value.js';
import { valueJsonSchema } from './value-json-schema.js';

const scalar = (name: (typeof scalars)[number], nullable = false): ValueType => ({
  kind: 'scalar',
  scalar: name,
  nullable,
});
const digits = { type: 'string', pattern: '^-?\\d+$' };

describe('the JSON Schema of a type', () => {
  test.each([
    ['String', { type: 'string' }],
    ['Bool', { type: 'boolean' }],
    ['I32', { type: 'integer' }],
    ['U32', { type: 'integer' }],
    ['I64', { anyOf: [{ type: 'integer' }, digits] }],
    ['U64', { anyOf: [{ type: 'integer' }, digits] }],
    ['F32', { type: 'number' }],
    ['F64', { type: 'number' }],
    ['Date', { type: 'string', format: 'date' }],
    ['DateTime', { type: 'string', format: 'date-time' }],
    ['Blob', { type: 'string', contentEncoding: 'base64' }],
  ] as const)('%s', (name, schema) => {
    expect(valueJsonSchema(scalar(name))).toEqual(schema);
  });

  test('a list, a vector and an enum', () => {
    expect(valueJsonSchema({ kind: 'list', of: 'I32', nullable: false })).toEqual({
      type: 'array',
      items: { type: 'integer' },
    });
    expect(valueJsonSchema({ kind: 'vector', dimension: 3, nullable: false })).toEqual({
      type: 'array',
      items: { type: 'number' },
      minItems: 3,
      maxItems: 3,
    });
    expect(valueJsonSchema({ kind: 'enum', values: ['a'], nullable: false })).toEqual({
      type: 'string',
      enum: ['a'],
    });
  });

  test('what may be null says so', () => {
    expect(valueJsonSchema(scalar('String', true))).toEqual({ type: ['string', 'null'] });
    expect(valueJsonSchema(scalar('I64', true))).toEqual({
      anyOf: [{ type: 'integer' }, digits, { type: 'null' }],
    });
    expect(valueJsonSchema({ kind: 'enum', values: ['a'], nullable: true })).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
  });
});

test('whatever a type takes, its JSON Schema takes', () => {
  const ajv = new Ajv2020({ strict: true, validateFormats: false, allowUnionTypes: true });
  const samples = [
    'x',
    'base64:aGk=',
    true,
    1,
    -1,
    1.5,
    '12',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    null,
    [1, 2],
    [],
  ];
  const types: ValueType[] = [true, false].flatMap((nullable) => [
    ...scalars.map((name) => scalar(name, nullable)),
    ...scalars.map((of): ValueType => ({ kind: 'list', of, nullable })),
    { kind: 'vector', dimension: 2, nullable },
    { kind: 'enum', values: ['x', '12'], nullable },
  ]);
  for (const type of types) {
    const validate = ajv.compile(valueJsonSchema(type));
    for (const value of samples)
      if ('value' in parseValue(type, value))
        expect([type, value, validate(value)]).toEqual([type, value, true]);
  }
});
