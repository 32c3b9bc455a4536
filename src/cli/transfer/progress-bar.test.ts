import { expect, test, vi } from 'vitest';
import { withProgress } from './progress-bar.js';

function terminal(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

test('on a terminal each part is drawn over the one before, and nothing is left at the end', async () => {
  const output = terminal(true);
  await withProgress(async (bar) => {
    bar.begin('reading');
    bar.begin('writing', 10);
  }, output);
  expect(output.written).toEqual([
    '\rreading 0\u001b[K',
    `\rwriting [${' '.repeat(24)}] 0%\u001b[K`,
    '\r\u001b[K',
  ]);
});

test('what has been done is drawn, but not for every step', async () => {
  const output = terminal(true);
  const clock = vi.spyOn(performance, 'now');
  await withProgress(async (bar) => {
    clock.mockReturnValue(1000);
    bar.begin('writing', 10);
    bar.advance(5);
    clock.mockReturnValue(1200);
    bar.advance(2);
    clock.mockReturnValue(1400);
    bar.advance(100);
  }, output);
  clock.mockRestore();
  expect(output.written.slice(1, -1)).toEqual([
    `\rwriting [${'#'.repeat(16)}${' '.repeat(8)}] 70%\u001b[K`,
    `\rwriting [${'#'.repeat(24)}] 100%\u001b[K`,
  ]);
});

test('no line is wider than the terminal', async () => {
  const output = terminal(true, 12);
  await withProgress(async (bar) => bar.begin('embedding a-long-name', 10), output);
  expect(output.written[0]).toBe('\rembedding a\u001b[K');
});

test('without a terminal nothing is written, and the result and the error come through', async () => {
  const output = terminal(false);
  const result = await withProgress(async (bar) => {
    bar.begin('writing', 10);
    bar.advance(10);
    return 'done';
  }, output);
  expect(result).toBe('done');
  await expect(withProgress(() => Promise.reject(new Error('no')), output)).rejects.toThrow('no');
  expect(output.written).toEqual([]);
});
