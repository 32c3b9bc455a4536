import { beforeEach, describe, expect, test } from 'vitest';
import { BufferedBytes } from './buffered-bytes.js';
import { ArrivingBodies } from './limit-arriving-bodies.js';

let held: BufferedBytes;
let broken: string[];

beforeEach(() => {
  held = new BufferedBytes();
  broken = [];
});

const hold = (actor: string, name: string, bytes: number) => held.hold(actor, () => broken.push(name), bytes);

describe('trust 33: bytes that are held', () => {
  test('count for their actor and in all, until they are released', () => {
    const first = hold('ann', 'a', 100);
    hold('ann', 'b', 20);
    hold('bob', 'c', 3);
    expect([held.of('ann'), held.of('bob'), held.of('eve'), held.total]).toEqual([120, 3, 0, 123]);
    first.set(50);
    expect([held.of('ann'), held.total]).toEqual([70, 73]);
    first.release();
    first.release();
    first.set(1_000);
    expect([held.of('ann'), held.count('ann'), held.total]).toEqual([20, 1, 23]);
  });

  test('make room from the oldest of whoever has the most, and are counted no more', () => {
    hold('ann', 'a1', 40);
    hold('bob', 'b1', 30);
    hold('ann', 'a2', 40);
    held.abortUntilBelow(110);
    expect(broken).toEqual([]);
    held.abortUntilBelow(75);
    expect(broken).toEqual(['a1']);
    expect([held.of('ann'), held.total]).toEqual([40, 70]);
    held.abortUntilBelow(0);
    expect(broken).toEqual(['a1', 'a2', 'b1']);
    expect(held.total).toBe(0);
  });
});

describe('trust 37: bodies that arrive', () => {
  test('make way for newer ones of the same actor, the slowest first', () => {
    const arrivals = new ArrivingBodies({ maxPerActor: 2, maxBytes: 1_000 });
    for (const name of ['a', 'b', 'c']) arrivals.track('ann', () => broken.push(name));
    arrivals.track('bob', () => broken.push('other'));
    expect(broken).toEqual(['a']);
  });

  test('that have arrived make no room, and count no more', () => {
    const arrivals = new ArrivingBodies({ maxPerActor: 2, maxBytes: 1_000 });
    const first = arrivals.track('ann', () => broken.push('a'));
    arrivals.track('ann', () => broken.push('b'));
    first.release();
    arrivals.track('ann', () => broken.push('c'));
    expect(broken).toEqual([]);
  });

  test('are bounded in all, at the cost of whoever sends the most', () => {
    const arrivals = new ArrivingBodies({ maxPerActor: 10, maxBytes: 100 });
    arrivals.track('ann', () => broken.push('a')).set(60);
    arrivals.track('bob', () => broken.push('b')).set(30);
    arrivals.track('bob', () => broken.push('c')).set(20);
    expect(broken).toEqual(['a']);
  });
});
