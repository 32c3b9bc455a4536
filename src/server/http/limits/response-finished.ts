import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request, and the answer to it, as they come and go. */
export interface HttpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Who waits for a socket to close: one listener for all, since a client may send many requests at once on one. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Resolves once all of an answer has been handed to the network, or nobody is there to take it. */
export function responseFinished({ incoming: { socket }, outgoing }: HttpExchange): Promise<void> {
  if (outgoing.closed || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      outgoing.off('close', over);
      waitersOf(socket).delete(over);
      resolve();
    };
    outgoing.once('close', over);
    // An answer that waits for its turn on a connection does not hear that the connection is gone.
    waitersOf(socket).add(over);
  });
}

function waitersOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const waiters = new Set<() => void>();
  waiting.set(socket, waiters);
  socket.once('close', () => {
    for (const over of [...waiters]) over();
  });
  return waiters;
}
