import { TrellisError } from '../../model/error.js';
import type { Order } from '../../model/order.js';

/** A place in a list, as text an agent hands back unread. */
export function encodeCursor(order: Order): string {
  return Buffer.from(`${order.seq}.${order.position}`).toString('base64url');
}

export function decodeCursor(cursor: string): Order {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one this server gave out.', {
      hint: 'Pass the nextCursor of the previous answer unchanged, or leave cursor out to start again.',
    });
  }
  return { seq: Number(match[1]), position: Number(match[2]) };
}
