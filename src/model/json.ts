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

export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
