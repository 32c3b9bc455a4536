import { describe, expect, test } from 'vitest';
import { Memo } from './memo.js';

describe('answers that are kept', () => {
  test('are made once', () => {
    const memo = new Memo<number>(2);
    let made = 0;
    const ask = (key: string) => memo.getOrMake(key, () => ++made);
    expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  });

  test('are never more than the bound; the one not asked for the longest goes', () => {
    const memo = new Memo<string>(2);
    const ask = (key: string, value: string) => memo.getOrMake(key, () => value);
    ask('a', '1');
    ask('b', '2');
    ask('a', '-');
    ask('c', '3');
    expect(memo.size).toBe(2);
    expect(ask('a', 'again')).toBe('1');
    expect(ask('b', 'again')).toBe('again');
  });
});
