import { TrellisError } from '../../model/error.js';
import type { Order } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';

/** A place in a list, as text an agent hands back unread. It holds for as long as the store keeps its order. */
export function encodeCursor(order: Order, { epoch }: Reader): string {
  return Buffer.from(`${order.seq}.${order.position}.${epoch}`).toString('base64url');
}

export function decodeCursor(cursor: string, { epoch }: Reader): Order {
  const match = /^(\d{1,15})\.(\d{1,15})\.(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this server gave out.', {
      hint: 'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.',
    });
  }
  if (match[3] !== epoch) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is of a list that has been read anew since.', {
      hint: 'Leave cursor out to start again.',
    });
  }
  return { seq: Number(match[1]), position: Number(match[2]) };
}
