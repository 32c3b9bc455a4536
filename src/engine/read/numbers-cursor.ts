import { TrellisError } from '../../model/error.js';

const defaultHint =
  'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.';

/** An opaque position in a list; the list's name keeps other lists from accepting it. */
export function encodeNumbersCursor(list: string, numbers: readonly number[]): string {
  return Buffer.from([list, ...numbers].join(' ')).toString('base64url');
}

export function decodeNumbersCursor(
  list: string,
  count: number,
  cursor: string,
  hint?: string,
): readonly number[] {
  const [found, ...numbers] = splitCursor(cursor);
  if (found !== list || numbers.length !== count || !numbers.every(isCursorNumber)) throw invalidCursor(hint);
  return numbers.map(Number);
}

export function splitCursor(cursor: string): readonly string[] {
  return Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
}

export function isCursorNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

export function invalidCursor(hint: string = defaultHint): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this tool gave out.', { hint });
}
