import { TrellisError } from '../../model/error.js';

const defaultHint =
  'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.';

/** A place in a list that numbers tell, as text an agent hands back unread; the word says which list it belongs to. */
export function encodeNumbersCursor(list: string, numbers: readonly number[]): string {
  return Buffer.from([list, ...numbers].join(' ')).toString('base64url');
}

/** The numbers of such a cursor, which has so many; anything else is refused. */
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

/** What a cursor says, word by word. */
export function splitCursor(cursor: string): readonly string[] {
  return Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
}

export function isCursorNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** Refuses a cursor that was made up, or that another tool gave out. */
export function invalidCursor(hint: string = defaultHint): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this tool gave out.', { hint });
}
