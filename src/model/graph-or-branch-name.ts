import { TrellisError } from './error.js';
import { checkName } from './text.js';

/**
 * Names of graphs and branches occur in URLs, headers and terminals: refuses what one of them would drop or misread.
 */
export function checkGraphOrBranchName(value: string, what: string): string {
  checkName(value, what);
  const problem = graphOrBranchNameProblem(value);
  if (problem === undefined) return value;
  throw new TrellisError('INVALID_ARGUMENT', `${what} ${problem}.`, {
    hint: 'Choose another, such as "work" or "review/ann".',
  });
}

export function graphOrBranchNameProblem(value: string): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) return 'contains a control character or a line break';
  if (value !== value.trim()) return 'begins or ends with white space';
  if (value.split('/').some((part) => part === '.' || part === '..'))
    return 'contains "." or ".." as a path segment';
  return undefined;
}
