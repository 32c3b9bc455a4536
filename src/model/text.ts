import { TrellisError } from './error.js';
import { limits } from './limits.js';

/** Why a string cannot be stored, or undefined if it can: both databases mangle what this refuses. */
export function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'contains a NUL character (U+0000)';
  if (!value.isWellFormed()) return 'contains half of a surrogate pair, which is not valid Unicode';
  return undefined;
}

/** A string as it can be stored: what `textProblem` refuses is replaced by U+FFFD. */
export function storableText(value: string): string {
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The text that bytes of UTF-8 stand for, without a mark of their byte order; undefined if they are none, since a guess would be stored. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Checks a string at the model's edge and returns it. */
export function checkText(value: string, what: string, maxLength: number = limits.textLength): string {
  const problem = textProblem(value);
  if (problem !== undefined) {
    throw new TrellisError('INVALID_ARGUMENT', `${what} ${problem}.`, {
      hint: 'Remove that character and call again.',
    });
  }
  if (value.length > maxLength) {
    throw new TrellisError(
      'LIMIT_EXCEEDED',
      `${what} has ${value.length} characters; at most ${maxLength} are allowed.`,
      { hint: maxLength < limits.textLength ? 'Use a shorter one.' : 'Split it into several shorter facts.' },
    );
  }
  return value;
}

/** Checks a type, or a name from a file, which may be empty: the reference server writes such ones. */
export function checkShortText(value: string, what: string): string {
  return checkText(value, what, limits.nameLength);
}

/** Checks a name: text that is neither empty nor only white space. */
export function checkName(value: string, what: string): string {
  checkNotBlank(value, what);
  return checkText(value, what, limits.nameLength);
}

/** Checks a fact that somebody states: text that says something. */
export function checkFact(value: string, what: string): string {
  checkNotBlank(value, what);
  return checkText(value, what);
}

function checkNotBlank(value: string, what: string): void {
  if (value.trim() !== '') return;
  throw new TrellisError('INVALID_ARGUMENT', `${what} must not be ${value === '' ? 'empty' : 'blank'}.`, {
    hint: 'Nothing was done. Leave it out, or give a text.',
  });
}
