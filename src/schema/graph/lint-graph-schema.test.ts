import { expect, test } from 'vitest';
import { lintGraphSchema } from './lint-graph-schema.js';

test('reports an annotation that is almost one with an effect, and suggests it', () => {
  const text = 'node A @descripton("d") {\n  x: String @uniqe @pii\n}\nedge E: A -> A @rename_form("F")';
  expect(lintGraphSchema({ text })).toEqual([
    {
      code: 'unknown_annotation',
      line: 1,
      column: 9,
      message: '@descripton has no effect.',
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
