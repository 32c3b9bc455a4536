import { type ErrorCode, errorCodes, TrellisError } from './error.js';

/**
 * An error as somebody is told it who may write to a graph and not read it: what they sent, and nothing else that the
 * graph holds.
 */
export function redactWithoutRead(error: TrellisError): TrellisError {
  const { code, withoutRead } = error;
  if (withoutRead !== undefined) {
    const { message, hint } = withoutRead;
    return new TrellisError(code, message, { ...(hint === undefined ? {} : { hint }), cause: error });
  }
  return disclosingCodes.has(code) ? new TrellisError(code, errorCodes[code], { cause: error }) : error;
}

/** Errors that name something the caller has not. */
const disclosingCodes: ReadonlySet<ErrorCode> = new Set(['AMBIGUOUS_NAME', 'BRANCH_IN_USE']);
