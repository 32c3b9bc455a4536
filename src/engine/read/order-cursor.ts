import { TrellisError } from '../../model/error.js';
import type { Order } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import { invalidCursor, splitCursor } from './numbers-cursor.js';

/** An opaque position in a list, named after its tool. Valid as long as the store keeps its order. */
export function encodeOrderCursor(list: string, order: Order, { epoch }: Reader): string {
  return Buffer.from(`${list} ${order.seq}.${order.position}.${epoch}`).toString('base64url');
}

export function decodeOrderCursor(list: string, cursor: string, { epoch }: Reader): Order {
  const [found, place = ''] = splitCursor(cursor);
  const match = /^(\d{1,15})\.(\d{1,15})\.(.*)$/s.exec(place);
  if (found !== list || match === null) throw invalidCursor();
  if (match[3] !== epoch) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is of a list that has been read anew since.', {
      hint: 'Leave cursor out to start again.',
    });
  }
  return { seq: Number(match[1]), position: Number(match[2]) };
}
