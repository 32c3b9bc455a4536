import { TrellisError } from './error.js';
import { checkName } from './text.js';

/**
 * Checks the name of a graph or a branch. It stands in addresses, in headers and on terminals, so what one of them would
 * swallow, cut off or take for something else is no part of it.
 */
export function checkGraphOrBranchName(value: string, what: string): string {
  checkName(value, what);
  const problem = nameProblem(value);
  if (problem === undefined) return value;
  throw new TrellisError('INVALID_ARGUMENT', `${what} ${problem}.`, {
    hint: 'Choose another, such as "work" or "review/ann".',
  });
}

function nameProblem(value: string): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) return 'contains a control character or a line break';
  if (value !== value.trim()) return 'begins or ends with white space';
  if (value.split('/').some((part) => part === '.' || part === '..'))
    return 'has a part that is "." or "..", which means another place in an address';
  return undefined;
}
