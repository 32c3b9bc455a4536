import type { Json } from '../../../src/model/json.js';
import type { ValueType } from '../../../src/model/value-type.js';

/** True, false, or unknown. */
export type Truth = boolean | null;

export const and = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === null || b === null ? null : true;
export const or = (a: Truth, b: Truth): Truth =>
  a === true || b === true ? true : a === null || b === null ? null : false;
export const not = (a: Truth): Truth => (a === null ? null : !a);

/** What a value is to comparisons. A string of digits is an integer only where the type says so. */
export type Value =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly members: readonly Value[]; readonly json: string };

const bigTypes = new Set(['I64', 'U64']);

export function valueFrom(json: Json | undefined, type: ValueType | null): Value | null {
  const scalar = type?.kind === 'scalar' ? type.scalar : type?.kind === 'list' ? type.of : null;
  if (json === null || json === undefined) return null;
  if (Array.isArray(json)) {
    const of: ValueType | null =
      type?.kind === 'list' ? { kind: 'scalar', scalar: type.of, nullable: false } : null;
    return {
      kind: 'list',
      members: json.flatMap((member: Json) => valueFrom(member, of) ?? []),
      json: JSON.stringify(json),
    };
  }
  if (scalar !== null && bigTypes.has(scalar) && (typeof json === 'string' || Number.isInteger(json)))
    return { kind: 'integer', value: BigInt(json as string | number) };
  if (typeof json === 'boolean') return { kind: 'boolean', value: json };
  if (typeof json === 'number') return { kind: 'number', value: json };
  if (typeof json === 'string') return { kind: 'text', value: json };
  return { kind: 'list', members: [], json: JSON.stringify(json) };
}

/** Below, equal or above; null if they cannot be compared. */
export function compare(a: Value | null, b: Value | null): number | null {
  if (a === null || b === null) return null;
  if (a.kind === 'boolean' && b.kind === 'boolean') return Number(a.value) - Number(b.value);
  if (a.kind === 'text' && b.kind === 'text') return byCodePoint(a.value, b.value);
  if (isNumber(a) && isNumber(b)) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  return null;
}

type NumberValue = Extract<Value, { kind: 'number' | 'integer' }>;
const isNumber = (value: Value): value is NumberValue => value.kind === 'number' || value.kind === 'integer';

/** Character by character, not by halves of them. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

export function equal(a: Value | null, b: Value | null): Truth {
  if (a === null || b === null) return null;
  if (a.kind === 'list' && b.kind === 'list') return a.json === b.json;
  const order = compare(a, b);
  return order === null ? null : order === 0;
}

/** That a list has a value: false, not unknown, if what it has is of other kinds. */
export function has(list: Value | null, item: Value | null): Truth {
  if (list?.kind !== 'list' || item === null) return null;
  return list.members.some((member) => equal(member, item) === true);
}

const ranks = { boolean: 0, number: 1, integer: 1, text: 2, list: 3 };

/** Nothing first, then booleans, numbers, texts, and the rest by how JSON writes it. */
export function inOrder(a: Value | null, b: Value | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (ranks[a.kind] !== ranks[b.kind]) return ranks[a.kind] - ranks[b.kind];
  return a.kind === 'list' && b.kind === 'list' ? byCodePoint(a.json, b.json) : (compare(a, b) ?? 0);
}

/** As an answer holds it. */
export function jsonOf(value: Value | null): Json {
  if (value === null) return null;
  if (value.kind === 'list') return JSON.parse(value.json);
  if (value.kind !== 'integer') return value.value;
  return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value);
}
