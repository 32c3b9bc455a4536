import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textMatcher } from './text-matcher.js';
import { Vocabulary } from './vocabulary.js';

test('finds the rows whose texts match, like reading all of them', () => {
  const word = fc.stringMatching(/^[abcé😀0-3]{1,8}$/u);
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.constant(7))),
      text,
      fc.constantFrom(null, 0, 1, 2, 3),
      (values, wanted, edits) => {
        const pattern = { kind: 'fuzzy' as const, text: wanted, edits };
        const vocabulary = new Vocabulary();
        for (const [row, value] of values.entries()) vocabulary.add(row, value);
        const test = textMatcher(pattern);
        const rows = values.flatMap((value, row) => (test(value) ? [row] : []));
        // It may propose rows whose words are in several texts of a list.
        expect(vocabulary.rowsLike(pattern, 1_000)).toEqual(expect.arrayContaining(rows));
        const proposed = vocabulary.rowsLike(pattern, 1_000) ?? [];
        expect(proposed.filter((row) => test(values[row] ?? null)).sort((a, b) => a - b)).toEqual(rows);
      },
    ),
  );
});

test('says so if there are more rows than wanted', () => {
  const vocabulary = new Vocabulary();
  for (let row = 0; row < 5; row++) vocabulary.add(row, 'tea');
  expect(vocabulary.rowsLike({ kind: 'fuzzy', text: 'tee', edits: 1 }, 4)).toBeUndefined();
  expect(vocabulary.rowsLike({ kind: 'fuzzy', text: 'tee', edits: 1 }, 5)).toHaveLength(5);
});
