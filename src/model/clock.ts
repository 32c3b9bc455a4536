import { monotonicFactory } from 'ulid';

/** Time, passed in so that tests can set it. Milliseconds since 1970. */
export type Clock = () => number;

/** New commit ids, passed in so that tests can foresee them. */
export type Ids = (time: number) => string;

export const systemClock: Clock = () => Date.now();

/** ULIDs that increase even within one millisecond. */
export function ulids(): Ids {
  const next = monotonicFactory();
  return (time) => next(time);
}
