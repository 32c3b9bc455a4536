import type { ServerResponse } from 'node:http';

/** Breaks off an answer of which nothing was taken for so many milliseconds. */
export function setSendTimeout(outgoing: ServerResponse, milliseconds: number): void {
  if (outgoing.closed) return;
  const timer = setTimeout(() => {
    // A stream that has nothing to say keeps nobody waiting.
    if (outgoing.writableLength > 0) outgoing.destroy();
    else timer.refresh();
  }, milliseconds);
  timer.unref();
  const taken = () => timer.refresh();
  outgoing.on('drain', taken);
  outgoing.once('close', () => {
    clearTimeout(timer);
    outgoing.off('drain', taken);
  });
}
