import { isRecord } from '../../model/is-record.js';
import type { Json } from '../../model/json.js';
import { gateLimits, limits } from '../../model/limits.js';
import { textProblem } from '../../model/text.js';

/** Lists and maps cannot be keys. */
export function isKeyValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Whether two different numbers may have become the same: they would share a key. */
export function isInexact(value: string | number | boolean): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Why a value cannot be stored as JSON and read back unchanged; undefined if it can. */
export function jsonProblem(value: unknown, depth = 0): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'is not a finite number';
  if (typeof value === 'string') return stringProblem(value);
  if (depth >= gateLimits.propertyDepth) return `is nested deeper than ${gateLimits.propertyDepth} levels`;
  if (Array.isArray(value)) return firstProblem(value, depth);
  if (isRecord(value) && isPlain(value))
    return firstProblem(Object.keys(value), depth) ?? firstProblem(Object.values(value), depth);
  return 'is not JSON';
}

/** A `Date` or a `Map`, given to the library, would be stored as an empty object. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

export function isJson(value: unknown): value is Json {
  return jsonProblem(value) === undefined;
}

function firstProblem(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const problem = jsonProblem(value, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function stringProblem(value: string): string | undefined {
  if (value.length > limits.textLength) return `has more than ${limits.textLength} characters`;
  return textProblem(value);
}
