import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface HttpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** One close listener per socket, because a client may pipeline many requests. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Resolves when the response was handed to the network, or the connection is gone. */
export function responseFinished({ incoming: { socket }, outgoing }: HttpExchange): Promise<void> {
  if (outgoing.closed || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      outgoing.off('close', over);
      waitersOf(socket).delete(over);
      resolve();
    };
    outgoing.once('close', over);
    // A queued response on a pipelined connection gets no event when the connection closes.
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
