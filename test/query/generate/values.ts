import type { Json } from '../../../src/model/json.js';
import type { Scalar, ValueType } from '../../../src/model/value-type.js';
import type { Choices } from './choices.js';

/** Few values of each type, so that many are equal; some are hard to keep or to compare. */
const scalars: Readonly<Record<Scalar, readonly Json[]>> = {
  String: [
    '',
    'red',
    'a quick red fox',
    'the quick fox',
    'fox',
    "O'Brien",
    '100%_\\',
    'Ärger',
    '😀 fox',
    'Red',
  ],
  Blob: ['base64:', 'base64:AQID'],
  Bool: [true, false],
  I32: [-1, 0, 1, 2, 7, -2147483648, 2147483647],
  U32: [0, 1, 2, 7, 4294967295],
  I64: [0, 1, 7, -1, '9223372036854775807', '-9223372036854775808', 9007199254740991],
  U64: [0, 1, 7, '9223372036854775809', '18446744073709551615'],
  // Sums of these are exact, in whatever order they are added.
  F32: [-0.5, 0, 0.5, 1, 2.25],
  F64: [-0.5, 0, 0.5, 1, 2.25],
  DateTime: ['2024-01-01T00:00:00.000Z', '2024-02-29T12:30:00.500Z', '1999-12-31T23:59:59.999Z'],
  Date: ['2024-01-01', '2024-02-29', '1999-12-31'],
};

/** A value of a type; null if it may be null. */
export function value(choose: Choices, type: ValueType, nulls = 25): Json {
  if (type.nullable && choose.chance(nulls)) return null;
  switch (type.kind) {
    case 'scalar':
      return choose.one(scalars[type.scalar]);
    case 'enum':
      return choose.one(type.values);
    case 'list':
      return choose.times(0, 3, () => choose.one(scalars[type.of]));
    case 'vector':
      return Array.from({ length: type.dimension }, () => choose.int(-2, 2));
  }
}

/** A value as a literal of the language. */
export function literal(json: Json, type: ValueType): string {
  if (Array.isArray(json)) {
    const of: ValueType = { kind: 'scalar', scalar: type.kind === 'list' ? type.of : 'F64', nullable: false };
    return `[${json.map((item: Json) => literal(item, of)).join(', ')}]`;
  }
  if (type.kind === 'scalar' && type.scalar === 'Date') return `date(${JSON.stringify(json)})`;
  if (type.kind === 'scalar' && type.scalar === 'DateTime') return `datetime(${JSON.stringify(json)})`;
  const isDigits = type.kind === 'scalar' && (type.scalar === 'I64' || type.scalar === 'U64');
  return isDigits ? String(json) : JSON.stringify(json);
}
