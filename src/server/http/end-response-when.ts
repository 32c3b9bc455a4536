import type { ServerResponse } from 'node:http';

const recheckMs = 1_000;

/** Destroys a response that is still being sent once `isOver`, so that no stream outlives what opened it. */
export function endResponseWhen(response: ServerResponse, isOver: () => Promise<boolean>): void {
  if (response.closed) return;
  const timer = setInterval(async () => {
    if (await isOver()) response.destroy();
  }, recheckMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}
