import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Milliseconds since 1970; passed in so that tests can set it. */
export type Clock = () => number;

/** New commit ids, passed in so that tests can predict them. */
export type Ids = (time: number) => string;

export const systemClock: Clock = () => Date.now();

export function ulids(): Ids {
  const next = monotonicFactory(pooledRandom());
  return (time) => next(time);
}

/** Random fractions from a pool of bytes: one system call per fraction would cost more than the rest of an id. */
function pooledRandom(): () => number {
  const pool = new Uint8Array(1024);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used++] ?? 0;
    return byte / 256;
  };
}
