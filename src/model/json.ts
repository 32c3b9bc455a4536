import { isRecord } from './is-record.js';
import { compareText } from './order.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type Props = Readonly<Record<string, Json>>;

/** The JSON Schema (2020-12) of an object. */
export interface ObjectJsonSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** The same text for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => compareText(a, b)))
      : member,
  );
}

/** Whether two values have the same canonical JSON: ignores the order of keys, and members that are undefined. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((member, index) => equalJson(member ?? null, b[index] ?? null));
  }
  return isRecord(a) && isRecord(b) && equalRecords(a, b);
}

function equalRecords(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const [keys, others] = [definedKeys(a), definedKeys(b)];
  return (
    keys.length === others.length && keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
  );
}

function definedKeys(record: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(record);
  return keys.every((key) => record[key] !== undefined)
    ? keys
    : keys.filter((key) => record[key] !== undefined);
}

export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
