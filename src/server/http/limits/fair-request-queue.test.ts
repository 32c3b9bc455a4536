import { beforeEach, describe, expect, test } from 'vitest';
import { FairRequestQueue } from './fair-request-queue.js';

let now: number;
let entrance: FairRequestQueue;
let order: string[];

beforeEach(() => {
  [now, order] = [0, []];
  entrance = new FairRequestQueue(() => {
    const start = now;
    return {
      get isOver() {
        return now - start >= 10;
      },
    };
  });
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A request that keeps everybody waiting for so many milliseconds at each of its steps. */
async function request(name: string, { actor = name, steps = 1, cost = 20 } = {}): Promise<void> {
  await entrance.enter(actor);
  for (let step = 1; step <= steps; step += 1) {
    now += cost;
    order.push(steps === 1 ? name : `${name}${step}`);
    if (step < steps) await turn();
  }
}

describe('trust 37: a crowd that comes at once', () => {
  test('is let in as it came, and nobody who is in waits for all of them', async () => {
    const crowd = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => request(name, { steps: 2 }));
    await Promise.all(crowd);
    // Everybody takes the second step soon after the first, and not after the first of all others.
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect(order.indexOf(`${name}2`) - order.indexOf(`${name}1`)).toBeLessThanOrEqual(3);
    }
    expect(order.filter((step) => step.endsWith('1'))).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1']);
  });

  test('of one actor does not keep the others waiting', async () => {
    const many = Array.from({ length: 50 }, (_, index) => request(`many${index}`, { actor: 'ann' }));
    const one = request('one', { actor: 'bob' });
    await Promise.all([...many, one]);
    expect(order.indexOf('one')).toBeLessThanOrEqual(2);
    expect(order.filter((name) => name !== 'one')).toEqual(Array.from({ length: 50 }, (_, i) => `many${i}`));
  });

  test('begins together as long as that takes no time, so that writes can share a commit', async () => {
    const crowd = Array.from({ length: 10 }, (_, index) => request(`${index}`, { cost: 1 }));
    await turn();
    expect(order).toHaveLength(10);
    await Promise.all(crowd);
  });
});

test('whoever comes alone begins at once', async () => {
  await request('a');
  await turn();
  await turn();
  const begun = request('b');
  await Promise.resolve();
  await Promise.resolve();
  expect(order).toEqual(['a', 'b']);
  await begun;
});
