import { TrellisError } from '../../model/error.js';

const usualHint = 'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.';

/** A place in a list that numbers tell, as text an agent hands back unread; the word says which kind of list it is. */
export function encodeNumbers(word: string, numbers: readonly number[]): string {
  return Buffer.from([word, ...numbers].join(' ')).toString('base64url');
}

/** The numbers of such a cursor, which has so many; anything else is refused. */
export function decodeNumbers(
  word: string,
  count: number,
  cursor: string,
  hint = usualHint,
): readonly number[] {
  const [found, ...numbers] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (found === word && numbers.length === count && numbers.every((text) => /^\d{1,15}$/.test(text)))
    return numbers.map(Number);
  throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this tool gave out.', { hint });
}
