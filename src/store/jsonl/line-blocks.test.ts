import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBlocks, type LineChange } from './line-blocks.js';

type Change = LineChange<{ text: string }>;

test('staged changes show in the bytes at once, and in the lines only when adopted', () => {
  const lines = new LineBlocks<{ text: string }>();
  const staged = lines.stage(new Map([['a', { line: { text: 'A' }, append: true }]]));
  expect(Buffer.concat(staged.blocks.map((block) => block.bytes)).toString()).toBe('A\n');
  expect(lines.get('a')).toBeUndefined();
  staged.apply();
  expect(lines.get('a')).toEqual({ text: 'A' });
});

test('a line can be put ahead of another, whether that was there or came in the same batch', () => {
  const lines = new LineBlocks<{ text: string }>();
  const put = (text: string, before?: string): [string, Change] => [
    text,
    { line: { text }, append: true, before },
  ];
  lines.stage(new Map([put('a'), put('b'), put('c')])).apply();
  lines.stage(new Map([put('y', 'b'), put('x', 'y'), put('d'), put('z', 'd'), put('a', 'c')])).apply();
  expect(lines.blocks.flatMap((block) => [...block.lines.keys()])).toEqual([
    ...['x', 'y', 'b', 'a', 'c', 'z', 'd'],
  ]);
});

test('any changes leave the lines an ordered map would hold', () => {
  const key = fc.integer({ min: 0, max: 700 }).map(String);
  const change = fc.oneof(
    fc.constant<Change>(undefined),
    fc.record({ line: fc.record({ text: fc.string() }), append: fc.boolean() }),
  );
  const batch = fc
    .array(fc.tuple(key, change), { maxLength: 400 })
    .map((entries) => new Map<string, Change>(entries));
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 6 }), (batches) => {
      const lines = new LineBlocks<{ text: string }>();
      const expected = new Map<string, string>();
      for (const changes of batches) {
        const staged = lines.stage(changes);
        for (const [name, made] of changes) {
          if (made === undefined || made.append) expected.delete(name);
          if (made !== undefined) expected.set(name, made.line.text);
        }
        staged.apply();
        const found = lines.blocks.flatMap((block) =>
          [...block.lines].map(([name, { text }]) => [name, text]),
        );
        expect(found).toEqual([...expected]);
        expect(lines.size).toBe(expected.size);
      }
    }),
    { numRuns: 50 },
  );
});
