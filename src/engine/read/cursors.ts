import { TrellisError } from '../../model/error.js';
import type { Order } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';

const defaultHint = 'Pass the nextCursor of the previous response unchanged, or omit cursor to start again.';

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

/** Empty for what was not issued as it is: decoding ignores characters that base64 does not have. */
export function splitCursor(cursor: string): readonly string[] {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.toString('base64url') === cursor ? bytes.toString('latin1').split(' ') : [];
}

export function isCursorNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

export function invalidCursor(hint: string = defaultHint): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', 'The cursor was not issued by this tool.', { hint });
}

/** For lists that are computed anew for each page: how many items to skip. */
export function encodeOffsetCursor(list: string, offset: number): string {
  return encodeNumbersCursor(list, [offset]);
}

export function decodeOffsetCursor(list: string, cursor: string | undefined, hint?: string): number {
  if (cursor === undefined) return 0;
  const [offset = 0] = decodeNumbersCursor(list, 1, cursor, hint);
  return offset;
}

/** An opaque position in a list, named after its tool. Valid as long as the store keeps its order. */
export function encodeOrderCursor(list: string, order: Order, { epoch }: Reader): string {
  return Buffer.from(`${list} ${order.seq}.${order.position}.${epoch}`).toString('base64url');
}

export function decodeOrderCursor(list: string, cursor: string, { epoch }: Reader): Order {
  const [found, place = ''] = splitCursor(cursor);
  const match = /^(\d{1,15})\.(\d{1,15})\.(.*)$/s.exec(place);
  if (found !== list || match === null) throw invalidCursor();
  if (match[3] !== epoch) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor has expired: the list was reloaded.', {
      hint: 'Omit cursor to start again.',
    });
  }
  return { seq: Number(match[1]), position: Number(match[2]) };
}
