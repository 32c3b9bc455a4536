import type { Json } from '../../../model/json.js';
import type { Comparison } from '../../row-query.js';
import { type Comparable, fits, integerOf, padded } from '../query/comparable.js';

/** Of a longer string only the beginning is kept: the index proposes, and the row decides. */
const longest = 100;
const highest = '\u{10FFFF}';

/** A value as text that is ordered, by code point, as values of its kind are; null if it cannot be one. */
export function valueText(value: Json, comparable: Comparable): string | null {
  if (value === null || !fits(value, comparable)) return null;
  switch (comparable) {
    case 'text':
      return beginning(String(value));
    case 'boolean':
      return value === true ? '1' : '0';
    case 'number':
      return floatText(Number(value));
    case 'i64':
      return padded((integerOf(value) ?? 0n) + 2n ** 63n);
    case 'u64':
      return padded(integerOf(value) ?? 0n);
    default:
      return null;
  }
}

function beginning(text: string): string {
  return text.length <= longest ? text : Array.from(text).slice(0, longest).join('');
}

/** The bits of a float, turned so that they are ordered as the floats are. */
function floatText(value: number): string {
  const bytes = Buffer.alloc(8);
  // Minus zero is zero.
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bytes[0] ?? 0) >= 128;
  for (const [index, byte] of bytes.entries())
    bytes[index] = negative ? byte ^ 0xff : index === 0 ? byte ^ 0x80 : byte;
  return bytes.toString('hex');
}

/** Where the texts of values lie, both ends included; null: no end. */
export interface Bounds {
  readonly low: string | null;
  readonly high: string | null;
}

/** Where the values lie that may meet a comparison; undefined if an index cannot tell. */
export function boundsOf(operator: Comparison, value: Json, comparable: Comparable): Bounds | undefined {
  const text = valueText(value, comparable);
  if (text === null) return undefined;
  switch (operator) {
    case '=':
      return { low: text, high: text };
    case '<':
    case '<=':
      return { low: null, high: text };
    case '>':
    case '>=':
      return { low: text, high: null };
    case 'starts_with':
      return comparable === 'text'
        ? { low: text, high: text + highest.repeat(Math.max(0, longest - Array.from(text).length)) }
        : undefined;
    default:
      return undefined;
  }
}

/** Where both hold. */
export function tighter(a: Bounds, b: Bounds): Bounds {
  return {
    low: a.low === null || (b.low !== null && byCodePoint(a.low, b.low) < 0) ? b.low : a.low,
    high: a.high === null || (b.high !== null && byCodePoint(a.high, b.high) > 0) ? b.high : a.high,
  };
}

/** JavaScript orders strings by their halves of characters; the databases by whole ones. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
