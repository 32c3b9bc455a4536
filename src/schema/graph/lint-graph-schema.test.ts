import { expect, test } from 'vitest';
import { lintGraphSchema } from './lint-graph-schema.js';

test('an annotation that is almost one that does something is told, with the one that was meant', () => {
  const text = 'node A @descripton("d") {\n  x: String @uniqe @pii\n}\nedge E: A -> A @rename_form("F")';
  expect(lintGraphSchema({ text })).toEqual([
    {
      code: 'unknown_annotation',
      line: 1,
      column: 9,
      message: '@descripton is kept, but does nothing.',
      suggestion: 'description',
    },
    expect.objectContaining({ line: 2, column: 14, suggestion: 'unique' }),
    expect.objectContaining({ line: 4, column: 17, suggestion: 'rename_from' }),
  ]);
});

test('annotations of others, and those that are known, are left alone', () => {
  expect(
    lintGraphSchema({ text: 'interface I { x: String @index } node A @audited @ui(color: "red") {}' }),
  ).toEqual([]);
});
