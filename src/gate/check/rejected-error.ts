import { type ErrorCode, TrellisError } from '../../model/error.js';

/** The codes of rejected writes; any other error is a failure. */
export const rejectionCodes = [
  'INVALID_ARGUMENT',
  'INVALID_EXTRACTION_METHOD',
  'SCHEMA_SOURCE_UNAVAILABLE',
  'SCHEMA_UNKNOWN_LABEL',
  'SCHEMA_PROTECTED_FIELD',
  'SCHEMA_MISSING_REQUIRED_PROPERTY',
  'SCHEMA_TYPE_MISMATCH',
  'SCHEMA_ENDPOINT_MISMATCH',
  'SCHEMA_VIOLATION',
  'ENDPOINT_NOT_FOUND',
  'AMBIGUOUS_MERGE',
  'FORMULA_INVALID_OUTPUT',
  'CONFLICT_HIGHER_CONFIDENCE',
] as const satisfies readonly ErrorCode[];

export type RejectionCode = (typeof rejectionCodes)[number];

/** Thrown, so that the transaction is undone. */
export class RejectedError extends TrellisError {
  declare readonly code: RejectionCode;

  constructor(
    code: RejectionCode,
    message: string,
    hint: string,
    details: Readonly<Record<string, unknown>>,
    publicMessage?: string,
  ) {
    super(code, message, { hint, details, publicMessage });
  }
}

const known: ReadonlySet<string> = new Set(rejectionCodes);

export function isRejection(thrown: unknown): thrown is TrellisError {
  return thrown instanceof TrellisError && known.has(thrown.code);
}
