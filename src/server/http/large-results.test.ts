import { expect, test } from 'vitest';
import { LargeResults } from './large-results.js';

const large = (word: string) => ({
  content: [{ type: 'text' as const, text: `${word} `.repeat(40_000) }],
  structuredContent: { words: Array.from({ length: 5_000 }, () => word) },
});

async function restored(results: LargeResults, message: unknown): Promise<unknown> {
  return JSON.parse(Buffer.concat(await results.restore(JSON.stringify(message))).toString('utf8'));
}

test('a short result is passed on as it is', () => {
  const results = new LargeResults();
  const short = { content: [{ type: 'text' as const, text: 'short' }] };
  expect(results.replace(short)).toBe(short);
  expect(results.isEmpty).toBe(true);
});

test('large results take the places of their tickets, beside what the SDK adds', async () => {
  const results = new LargeResults();
  const [first, second] = [large('one'), { ...large('two'), isError: true }];
  const tickets = [results.replace(first), results.replace(second)];
  expect(JSON.stringify(tickets).length).toBeLessThan(300);
  const message = tickets.map((result, id) => ({
    jsonrpc: '2.0',
    id,
    result: { ...result, resultType: 'complete' },
  }));
  expect(await restored(results, message.toReversed())).toEqual([
    { jsonrpc: '2.0', id: 1, result: { ...second, resultType: 'complete' } },
    { jsonrpc: '2.0', id: 0, result: { ...first, resultType: 'complete' } },
  ]);
});

test('a response without its ticket stays as it is', async () => {
  const results = new LargeResults();
  results.replace(large('one'));
  expect(await restored(results, { error: { code: -32_000 } })).toEqual({ error: { code: -32_000 } });
});
