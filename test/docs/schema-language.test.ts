import { describe, expect, test } from 'vitest';
import { graphSchemaLimits, languageLimits } from '../../src/model/limits.js';
import { scalars } from '../../src/model/value-type.js';
import { parseGraphSchema } from '../../src/schema/graph/parse-graph-schema.js';
import { examplesOn } from './examples.js';
import { mentions, page, section } from './pages.js';

const path = 'docs/schema-language.md';
const examples = examplesOn(path, 'pg');

describe('the examples of the schema language', () => {
  test.each(examples.filter(({ refusal }) => refusal === undefined))('is sound: $code', ({ code }) => {
    expect(() => parseGraphSchema(code)).not.toThrow();
  });

  test.each(examples.filter(({ refusal }) => refusal !== undefined))(
    'is refused as shown: $code',
    ({ code, refusal }) => {
      expect(() => parseGraphSchema(code, 'work.pg')).toThrow(expect.objectContaining({ message: refusal }));
    },
  );
});

test.each(Object.entries({ ...languageLimits, ...graphSchemaLimits }))('the bound %s', (_, bound) => {
  expect(section(page(path), '## What is refused')).toContain(`| ${bound.toLocaleString('en-US')} |`);
});

test('every scalar', () => {
  const table = section(page(path), '## Types of values') ?? '';
  expect(scalars.filter((scalar) => !mentions(table, scalar))).toEqual([]);
});
