import type { ServerResponse } from 'node:http';

/** How often an answer that stays open is checked. */
const recheckMs = 1_000;

/** Ends an answer that is still being sent once `isOver`, so that a stream does not outlive what opened it. */
export function endResponseWhen(response: ServerResponse, isOver: () => Promise<boolean>): void {
  if (response.closed) return;
  const timer = setInterval(async () => {
    if (await isOver()) response.destroy();
  }, recheckMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}
