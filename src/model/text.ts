import { TrellisError } from './error.js';
import { limits } from './limits.js';

/** Why a string cannot be stored; undefined if it can. Both databases would corrupt what this refuses. */
export function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'contains a NUL character (U+0000)';
  if (!value.isWellFormed()) return 'contains half of a surrogate pair, which is not valid Unicode';
  return undefined;
}

/** Replaces what `textProblem` refuses by U+FFFD. */
export function storableText(value: string): string {
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Drops a byte order mark; undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function checkText(value: string, what: string, maxLength: number = limits.textLength): string {
  const problem = textProblem(value);
  if (problem !== undefined)
    throw new TrellisError('INVALID_ARGUMENT', `${what} ${problem}.`, {
      hint: 'Remove that character and call again.',
    });
  if (value.length > maxLength)
    throw new TrellisError(
      'LIMIT_EXCEEDED',
      `${what} has ${value.length} characters; at most ${maxLength} are allowed.`,
      { hint: maxLength < limits.textLength ? 'Use a shorter one.' : 'Split it into several shorter facts.' },
    );
  return value;
}

/** A type, or a name from a file. It may be empty: the MCP reference memory server writes such ones. */
export function checkShortText(value: string, what: string): string {
  return checkText(value, what, limits.nameLength);
}

export function checkName(value: string, what: string): string {
  checkNotBlank(value, what);
  return checkText(value, what, limits.nameLength);
}

export function checkFact(value: string, what: string, maxLength?: number): string {
  checkNotBlank(value, what);
  return checkText(value, what, maxLength);
}

function checkNotBlank(value: string, what: string): void {
  if (value.trim() !== '') return;
  throw new TrellisError('INVALID_ARGUMENT', `${what} must not be ${value === '' ? 'empty' : 'blank'}.`, {
    hint: 'Nothing was done. Omit it, or provide a text.',
  });
}
