import type { Json } from '../../../model/json.js';
import type { ComparisonOperator } from '../../row-query.js';
import { type Comparable, fitsComparable, integerOf, padInteger } from '../query/comparable.js';
import { floatText } from '../query/exact-number.js';

/** Longer strings are cut: the index proposes, and the row decides. */
const maxPrefixLength = 100;
const maxCodePoint = '\u{10FFFF}';

/** A text that sorts by code point as the values do; null if the value is of another kind. */
export function sortableText(value: Json, comparable: Comparable): string | null {
  if (value === null || !fitsComparable(value, comparable)) return null;
  switch (comparable) {
    case 'text':
      return textPrefix(String(value));
    case 'boolean':
      return value === true ? '1' : '0';
    case 'number':
      return floatText(Number(value));
    case 'i64':
      return padInteger((integerOf(value) ?? 0n) + 2n ** 63n);
    case 'u64':
      return padInteger(integerOf(value) ?? 0n);
    default:
      return null;
  }
}

function textPrefix(text: string): string {
  return text.length <= maxPrefixLength ? text : Array.from(text).slice(0, maxPrefixLength).join('');
}

export interface Bound {
  readonly text: string;
  /** Whether an equal text is in the range. */
  readonly included: boolean;
}

export interface Bounds<B extends Bound = Bound> {
  readonly low: B | null;
  readonly high: B | null;
  /** Whether everything in the range meets the comparison, so that the row need not be checked. */
  readonly exact: boolean;
}

/** Where the values are that may meet a comparison; undefined if an index cannot tell. */
export function boundsOf(
  operator: ComparisonOperator,
  value: Json,
  comparable: Comparable,
): Bounds | undefined {
  const text = sortableText(value, comparable);
  if (text === null) return undefined;
  // Of two strings with the same prefix, only the rows can tell which is first.
  const exact = comparable !== 'text' || Array.from(text).length < maxPrefixLength;
  const at = (included: boolean): Bound => ({ text, included: included || !exact });
  switch (operator) {
    case '=':
      return { low: at(true), high: at(true), exact };
    case '<':
    case '<=':
      return { low: null, high: at(operator === '<='), exact };
    case '>':
    case '>=':
      return { low: at(operator === '>='), high: null, exact };
    case 'starts_with': {
      if (comparable !== 'text') return undefined;
      const last = text + maxCodePoint.repeat(Math.max(0, maxPrefixLength - Array.from(text).length));
      return { low: at(true), high: { text: last, included: true }, exact };
    }
    default:
      return undefined;
  }
}

export function intersectBounds<B extends Bound>(a: Bounds<B>, b: Bounds<B>): Bounds<B> {
  return {
    low: innerBound(a.low, b.low, 1),
    high: innerBound(a.high, b.high, -1),
    exact: a.exact && b.exact,
  };
}

/** The narrower of two ends; `side` is 1 for lower ends, -1 for upper ones. */
function innerBound<B extends Bound>(a: B | null, b: B | null, side: 1 | -1): B | null {
  if (a === null || b === null) return a ?? b;
  const order = compareCodePoints(a.text, b.text) * side;
  if (order === 0) return a.included ? b : a;
  return order > 0 ? a : b;
}

/** JavaScript orders strings by code units, the databases by code points. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
