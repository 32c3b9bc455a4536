import type { Json } from '../../../model/json.js';
import { integerOf } from './comparable.js';

/** Far more than a 20-digit integer differs from its nearest float, so the sum always has six digits. */
const maxDistance = 500_000n;

/**
 * A text that sorts, by code point, like numbers of all kinds: the nearest float, and the distance from it. A JSON
 * number is the float it is read as; a string of digits, if allowed, is the integer. Null if the value is neither.
 */
export function exactNumberText(value: Json, mayBeDigits = true): string | null {
  if (typeof value === 'number') return textOf(value, 0n);
  const integer = mayBeDigits ? integerOf(value) : null;
  if (integer === null) return null;
  const nearest = Number(integer);
  return textOf(nearest, integer - BigInt(nearest));
}

function textOf(nearest: number, away: bigint): string {
  return `${floatText(nearest)}${maxDistance + away}`;
}

/** The bits of a float as text that sorts like the floats. */
export function floatText(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bytes[0] ?? 0) >= 128;
  for (const [index, byte] of bytes.entries())
    bytes[index] = negative ? byte ^ 0xff : index === 0 ? byte ^ 0x80 : byte;
  return bytes.toString('hex');
}
