import { TrellisError } from '../../model/error.js';

/** A place in a list that is made anew for each page: how many items to pass over. */
export function encodeOffset(offset: number): string {
  return Buffer.from(`from ${offset}`).toString('base64url');
}

export function decodeOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const match = /^from (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this tool gave out.', {
      hint: 'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.',
    });
  }
  return Number(match[1]);
}
