export const scalars = [
  'String',
  'Blob',
  'Bool',
  'I32',
  'I64',
  'U32',
  'U64',
  'F32',
  'F64',
  'DateTime',
  'Date',
] as const;

export type Scalar = (typeof scalars)[number];

/**
 * What a property, a parameter or an expression can hold. In rows, values are JSON: a Date is `YYYY-MM-DD`, a DateTime
 * ISO with milliseconds and Z, a Blob `base64:…`, a Vector an array of numbers, an I64 or U64 beyond 2⁵³ a string of
 * digits.
 */
export type ValueType =
  | { readonly kind: 'scalar'; readonly scalar: Scalar; readonly nullable: boolean }
  | { readonly kind: 'list'; readonly of: Scalar; readonly nullable: boolean }
  | { readonly kind: 'enum'; readonly values: readonly string[]; readonly nullable: boolean }
  | { readonly kind: 'vector'; readonly dimension: number; readonly nullable: boolean };
