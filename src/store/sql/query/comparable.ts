import type { Json } from '../../../model/json.js';
import type { Scalar, ValueType } from '../../../model/value-type.js';
import type { SqlValue } from '../executor.js';

/**
 * How values are compared. `numeric` is for numbers of different kinds; `list` is compared as a whole; `any` is known only
 * row by row, on graphs without a schema.
 */
export type Comparable = 'text' | 'boolean' | 'number' | 'i64' | 'u64' | 'numeric' | 'list' | 'any';

const comparableOfScalar: Readonly<Record<Scalar, Comparable>> = {
  String: 'text',
  Blob: 'text',
  Bool: 'boolean',
  I32: 'number',
  I64: 'i64',
  U32: 'number',
  U64: 'u64',
  F32: 'number',
  F64: 'number',
  DateTime: 'text',
  Date: 'text',
};

export function comparableOf(type: ValueType | null): Comparable {
  switch (type?.kind) {
    case undefined:
      return 'any';
    case 'scalar':
      return comparableOfScalar[type.scalar];
    case 'enum':
      return 'text';
    case 'list':
    case 'vector':
      return 'list';
  }
}

export function memberComparable(type: ValueType | null): Comparable {
  if (type?.kind === 'list') return comparableOfScalar[type.of];
  return type?.kind === 'vector' ? 'number' : 'any';
}

export function comparableOfValue(value: Json, type: ValueType | null): Comparable {
  if (type !== null) return comparableOf(type);
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'list';
  }
}

const numericComparables: ReadonlySet<Comparable> = new Set(['number', 'i64', 'u64', 'numeric']);

export function isNumericComparable(comparable: Comparable): boolean {
  return numericComparables.has(comparable);
}

/** How two kinds are compared with each other; null if they cannot be. */
export function commonComparable(left: Comparable, right: Comparable): Comparable | null {
  if (left === right) return left;
  // Without a schema there are only JSON numbers.
  if (left === 'any') return isNumericComparable(right) ? 'numeric' : right;
  if (right === 'any') return commonComparable(right, left);
  return isNumericComparable(left) && isNumericComparable(right) ? 'numeric' : null;
}

const digits = /^-?\d{1,20}$/;
const i64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const u64 = { least: 0n, most: 2n ** 64n - 1n };

/** An integer of any size, from a number or a string of digits; null if the value is neither. */
export function integerOf(value: Json): bigint | null {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && digits.test(value) ? BigInt(value) : null;
}

export function fitsComparable(value: Json, comparable: Comparable): boolean {
  switch (comparable) {
    case 'i64':
    case 'u64': {
      const integer = integerOf(value);
      const { least, most } = comparable === 'i64' ? i64 : u64;
      return integer !== null && integer >= least && integer <= most;
    }
    case 'number': {
      const integer = integerOf(value);
      return typeof value === 'number' || (integer !== null && BigInt(Number(integer)) === integer);
    }
    case 'text':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'numeric':
      return typeof value === 'number' || integerOf(value) !== null;
    default:
      return true;
  }
}

/** An unsigned integer as text that sorts like the numbers. */
export function padInteger(integer: bigint): string {
  return String(integer).padStart(20, '0');
}

export function cellFromKey(value: SqlValue, comparable: Comparable): Json {
  if (value === null || value instanceof Uint8Array) return null;
  switch (comparable) {
    case 'boolean':
      return value === 1;
    case 'i64':
    case 'u64': {
      const integer = BigInt(value);
      const number = Number(integer);
      return Number.isSafeInteger(number) ? number : String(integer);
    }
    case 'number':
    case 'numeric':
      return Number.isFinite(Number(value)) ? Number(value) : null;
    default:
      return value;
  }
}
