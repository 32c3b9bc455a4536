import { setTimeout as sleep } from 'node:timers/promises';

/** How long an operation is tried again before its error is reported. */
const retryForMs = 15_000;

/** Does the work again, after a growing random pause, for as long as its errors are passing ones. */
export async function retryTransient<T>(
  isPassing: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + retryForMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw error;
    }
    await sleep(pause / 2 + Math.random() * pause);
  }
}
