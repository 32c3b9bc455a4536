import { invalidValue, type ParsedValue } from './parsed-value.js';

const integers = {
  I32: { min: -(2 ** 31), max: 2 ** 31 - 1 },
  U32: { min: 0, max: 2 ** 32 - 1 },
} as const;

const bigIntegers = {
  I64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  U64: { min: 0n, max: 2n ** 64n - 1n },
} as const;

const largestF32 = 3.4028234663852886e38;

export function parseInteger(scalar: 'I32' | 'U32', value: unknown): ParsedValue {
  if (typeof value !== 'number') return invalidValue('');
  if (!Number.isInteger(value)) return invalidValue('it is not a whole number');
  const { min, max } = integers[scalar];
  return value < min || value > max ? invalidValue(`it must be in ${min}..${max}`) : { value: value + 0 };
}

/** A number if JavaScript can hold it exactly, else a string of digits. */
export function parseBigInteger(scalar: 'I64' | 'U64', value: unknown): ParsedValue {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return invalidValue('it is not a whole number');
    if (!Number.isSafeInteger(value))
      return invalidValue('JSON numbers are not exact beyond 2^53; send a string of digits');
  } else if (typeof value === 'string') {
    if (!/^-?\d{1,40}$/.test(value)) return invalidValue('it is not a string of digits');
  } else if (typeof value !== 'bigint') {
    return invalidValue('');
  }
  const integer = BigInt(value);
  const { min, max } = bigIntegers[scalar];
  if (integer < min || integer > max) return invalidValue(`it must be in ${min}..${max}`);
  const number = Number(integer);
  return { value: Number.isSafeInteger(number) ? number : integer.toString() };
}

export function parseFloating(scalar: 'F32' | 'F64', value: unknown): ParsedValue {
  if (typeof value !== 'number') return invalidValue('');
  if (!Number.isFinite(value)) return invalidValue('it is not finite');
  if (scalar === 'F32' && Math.abs(value) > largestF32) return invalidValue('it is too large');
  return { value: value + 0 };
}
