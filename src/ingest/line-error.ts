import { type ErrorCode, TrellisError } from '../model/error.js';

export function lineError(
  line: number,
  problem: string,
  hint: string,
  code: ErrorCode = 'INVALID_ARGUMENT',
): TrellisError {
  return new TrellisError(code, `Line ${line}: ${problem}`, {
    hint: `Nothing was written. ${hint}`,
    details: { line },
  });
}
