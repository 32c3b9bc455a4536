import { expect, test } from 'vitest';
import { InFlight } from './in-flight.js';

test('idle waits for every call, failed ones too', async () => {
  const calls = new InFlight();
  let finish = () => {};
  const first = calls.track(() => new Promise<void>((resolve) => (finish = resolve)));
  const second = calls.track(() => Promise.reject(new Error('no')));
  await expect(second).rejects.toThrow('no');
  let idle = false;
  const waiting = calls.idle().then(() => {
    idle = true;
  });
  await Promise.resolve();
  expect(idle).toBe(false);
  finish();
  await first;
  await waiting;
  expect(idle).toBe(true);
});

test('idle is at once when nothing runs', async () => {
  await expect(new InFlight().idle()).resolves.toBeUndefined();
});
