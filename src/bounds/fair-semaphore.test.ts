import { beforeEach, describe, expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.js';

let places: FairSemaphore;
let order: string[];
let leaving: Map<string, () => void>;

beforeEach(() => {
  places = new FairSemaphore({ max: 4, maxLong: 3, maxPerActor: 2 });
  order = [];
  leaving = new Map();
});

/** Asks for a place as `actor graph`, and notes when it has one. */
function seek(name: string, isLong = true, signal?: AbortSignal): Promise<void> {
  const [actor = '', graph = ''] = name.split(' ');
  return places.acquire({ actor, graph, isLong }, signal).then((leave) => {
    order.push(name);
    leaving.set(name, leave);
  });
}

async function leave(name: string): Promise<void> {
  leaving.get(name)?.();
  await settled();
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('trust 32: places are shared', () => {
  test('one actor never has all of them', async () => {
    for (const graph of ['1', '2', '3', '4']) void seek(`ann ${graph}`);
    await seek('bob 1');
    await settled();
    expect(order).toEqual(['ann 1', 'ann 2', 'bob 1']);
    expect(places.waiting).toBe(2);
  });

  test('a place is kept for what is not long', async () => {
    await Promise.all(['ann 1', 'bob 1', 'cem 1'].map((name) => seek(name)));
    void seek('dan 1');
    await settled();
    expect(order).toHaveLength(3);
    await seek('eve 1', false);
    expect(order.at(-1)).toBe('eve 1');
  });

  test('what is long does not keep its own actor from what is not', async () => {
    await Promise.all([seek('ann 1'), seek('ann 2')]);
    await seek('ann 3', false);
    expect(order).toEqual(['ann 1', 'ann 2', 'ann 3']);
  });

  test('actors take turns, however many one of them asks for', async () => {
    await Promise.all([seek('ann 1'), seek('ann 2'), seek('bob 0')]);
    for (const graph of ['3', '4', '5']) void seek(`ann ${graph}`);
    void seek('bob 1');
    void seek('cem 1');
    await leave('ann 1');
    await leave('ann 2');
    await leave('bob 0');
    expect(order.slice(3)).toEqual(['cem 1', 'ann 3', 'bob 1']);
  });

  test('the graphs of an actor take turns', async () => {
    const one = new FairSemaphore({ max: 1, maxLong: 1, maxPerActor: 1 });
    places = one;
    await seek('ann 1');
    for (const name of ['ann 1', 'ann 1', 'ann 2']) void seek(name);
    await leave('ann 1');
    await leave('ann 2');
    expect(order).toEqual(['ann 1', 'ann 2', 'ann 1']);
  });

  test('whoever gives up leaves the others their turns', async () => {
    await Promise.all([seek('ann 1'), seek('ann 2')]);
    const caller = new AbortController();
    const given = expect(seek('ann 3', true, caller.signal)).rejects.toThrow('enough');
    void seek('ann 4');
    caller.abort(new Error('enough'));
    await given;
    await leave('ann 1');
    expect(order).toEqual(['ann 1', 'ann 2', 'ann 4']);
    await expect(seek('ann 5', true, caller.signal)).rejects.toThrow('enough');
  });

  test('giving a place back twice frees one', async () => {
    await Promise.all([seek('ann 1'), seek('ann 2')]);
    void seek('ann 3');
    void seek('ann 4');
    await leave('ann 1');
    await leave('ann 1');
    expect(order).toEqual(['ann 1', 'ann 2', 'ann 3']);
  });
});
