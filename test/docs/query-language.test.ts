import { describe, expect, test } from 'vitest';
import { languageLimits, queryLimits } from '../../src/model/limits.js';
import { bindQuery } from '../../src/query/bind-query.js';
import { checkQueries } from '../../src/query/check/check-query.js';
import { functionNames } from '../../src/query/check/resolve-operand.js';
import { parseGraphSchema } from '../../src/schema/graph/parse-graph-schema.js';
import { page, section } from './pages.js';
import { queryExamples } from './query-examples.js';

const path = 'docs/query-language.md';
const { schemaSource, examples } = queryExamples(path);
const schema = parseGraphSchema(schemaSource);
const context = { clock: () => Date.UTC(2026, 0, 31), embed: null };

describe('the examples of the query language', () => {
  const sound = examples.filter(({ refusal }) => refusal === undefined);

  test.each(sound)('is well typed, without a warning: $code', async ({ code, isOpen, parameters, rows }) => {
    const [query] = checkQueries({ text: code }, isOpen ? null : schema);
    expect(query?.warnings).toEqual([]);
    if (query === undefined || rows === undefined) return;
    const bound = await bindQuery(query, parameters, context);
    const columns = query.declaration.explain
      ? ['step']
      : bound.kind === 'read'
        ? bound.query.columns.map(({ name }) => name)
        : [];
    for (const row of rows) expect(Object.keys(row)).toEqual(columns);
  });

  test.each(examples.filter(({ refusal }) => refusal !== undefined))(
    'is refused as shown: $code',
    ({ code, refusal }) => {
      expect(() => checkQueries({ text: code, file: 'work.gq' }, schema)).toThrow(
        expect.objectContaining({ message: refusal }),
      );
    },
  );
});

test.each(Object.entries(queryLimits))('the bound %s', (_, bound) => {
  expect(section(page(path), '## What is refused')).toContain(`| ${bound.toLocaleString('en-US')} |`);
});

test('the bounds on texts stand with the schema language', () => {
  expect(section(page('docs/schema-language.md'), '## What is refused')).toContain(
    languageLimits.sourceLength.toLocaleString('en-US'),
  );
});

test.each(functionNames.filter((name) => name !== 'datetime'))('the function %s is in an example', (name) => {
  expect(examples.some(({ code }) => code.includes(`${name}(`))).toBe(true);
});
