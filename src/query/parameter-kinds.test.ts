import { expect, test } from 'vitest';
import { checkQueries } from './check/check-query.js';
import type { CheckedQuery } from './check/checked-query.js';
import { parameterDescriptors, parameterSchema } from './parameter-descriptors.js';

const digits = { type: 'string', pattern: expect.stringContaining('d') };

/** Seed 5.3, with what graph.md decides of BigInt. */
const kinds: readonly { type: string; kind: string; schema: object }[] = [
  { type: 'String', kind: 'string', schema: { type: 'string' } },
  { type: 'Bool', kind: 'bool', schema: { type: 'boolean' } },
  { type: 'I32', kind: 'int', schema: { type: 'integer' } },
  { type: 'U32', kind: 'int', schema: { type: 'integer' } },
  { type: 'I64', kind: 'bigint', schema: { anyOf: [{ type: 'integer' }, digits] } },
  { type: 'U64', kind: 'bigint', schema: { anyOf: [{ type: 'integer' }, digits] } },
  { type: 'F32', kind: 'float', schema: { type: 'number' } },
  { type: 'F64', kind: 'float', schema: { type: 'number' } },
  { type: 'Date', kind: 'date', schema: { type: 'string', format: 'date' } },
  { type: 'DateTime', kind: 'datetime', schema: { type: 'string', format: 'date-time' } },
  { type: 'Blob', kind: 'blob', schema: { type: 'string', contentEncoding: 'base64' } },
];

function queryWith(type: string): CheckedQuery {
  const source = { text: `query q($p: ${type}) { match { $x: Thing } return { $x.name } }` };
  const [query] = checkQueries(source, null);
  if (query === undefined) throw new Error('There is one query.');
  return query;
}

test.each(kinds)(
  'a parameter of type $type is $kind in lists and $schema as JSON Schema',
  ({ type, kind, schema }) => {
    const query = queryWith(type);
    expect(parameterDescriptors(query)).toEqual([{ name: 'p', kind, nullable: false }]);
    expect(parameterSchema(query)).toMatchObject({
      type: 'object',
      properties: { p: schema },
      required: ['p'],
      additionalProperties: false,
    });
  },
);

test.each(kinds)('one of type $type? may be null or left out', ({ type, kind }) => {
  const query = queryWith(`${type}?`);
  expect(parameterDescriptors(query)).toEqual([{ name: 'p', kind, nullable: true }]);
  const { required, properties } = parameterSchema(query);
  expect(required).toBeUndefined();
  expect(JSON.stringify(properties)).toContain('"null"');
});

test.each(kinds)('a list of $type has items of that kind', ({ type, kind, schema }) => {
  const query = queryWith(`[${type}]`);
  expect(parameterDescriptors(query)).toEqual([
    { name: 'p', kind: 'list', item_kind: kind, nullable: false },
  ]);
  expect(parameterSchema(query)['properties']).toMatchObject({ p: { type: 'array', items: schema } });
});

test('a vector has exactly its numbers', () => {
  const query = queryWith('Vector(3)');
  expect(parameterDescriptors(query)).toEqual([
    { name: 'p', kind: 'vector', vector_dim: 3, nullable: false },
  ]);
  expect(parameterSchema(query)['properties']).toMatchObject({
    p: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
  });
});
