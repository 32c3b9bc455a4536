import type { Json } from '../../../model/json.js';

/** A value in canonical form, or why it is invalid: the rest of a sentence that begins with the name of the property. */
export type ParsedValue = { readonly value: Json } | { readonly reason: string };

export function invalidValue(reason: string): ParsedValue {
  return { reason };
}
