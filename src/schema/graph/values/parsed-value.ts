import type { Json } from '../../../model/json.js';

/** The canonical form of a value, or why there is none: the rest of a sentence that begins with what it is the value of. */
export type ParsedValue = { readonly value: Json } | { readonly reason: string };

export function invalidValue(reason: string): ParsedValue {
  return { reason };
}
