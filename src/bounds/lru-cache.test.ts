import { describe, expect, test } from 'vitest';
import { LruCache } from './lru-cache.js';

describe('answers that are kept', () => {
  test('are made once', () => {
    const memo = new LruCache<number>(2);
    let made = 0;
    const ask = (key: string) => memo.getOrCreate(key, () => ++made);
    expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  });

  test('are never more than the bound; the one not asked for the longest goes', () => {
    const memo = new LruCache<string>(2);
    const ask = (key: string, value: string) => memo.getOrCreate(key, () => value);
    ask('a', '1');
    ask('b', '2');
    ask('a', '-');
    ask('c', '3');
    expect(memo.size).toBe(2);
    expect(ask('a', 'again')).toBe('1');
    expect(ask('b', 'again')).toBe('again');
  });
});
