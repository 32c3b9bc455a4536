import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { checkQueries } from './check/check-query.js';
import { isMutation, parameterDescriptors, parameterSchema } from './parameter-descriptors.js';
import { queryMetadata } from './query-metadata.js';

const declared =
  '$s: String, $b: Bool?, $i: I32, $u: U64?, $f: F32, $d: Date, $t: DateTime, $x: Blob, $v: Vector(3), $l: [I64]?';

const [query] = checkQueries(
  {
    text: `query q(${declared}) @description("What it does") @instruction("When to use it") @mcp(expose: false, tool_name: "find-it") @other
           { match { $p: P } return { $p } }
           query w() { insert P { name: "x" } }`,
  },
  null,
);

test('every kind of parameter has a descriptor', () => {
  expect(query && parameterDescriptors(query)).toEqual([
    { name: 's', kind: 'string', nullable: false },
    { name: 'b', kind: 'bool', nullable: true },
    { name: 'i', kind: 'int', nullable: false },
    { name: 'u', kind: 'bigint', nullable: true },
    { name: 'f', kind: 'float', nullable: false },
    { name: 'd', kind: 'date', nullable: false },
    { name: 't', kind: 'datetime', nullable: false },
    { name: 'x', kind: 'blob', nullable: false },
    { name: 'v', kind: 'vector', nullable: false, vector_dim: 3 },
    { name: 'l', kind: 'list', nullable: true, item_kind: 'bigint' },
  ]);
});

test('the schema of the parameters is closed, and asks for those that cannot be null', () => {
  const schema = query && parameterSchema(query);
  expect(schema).toMatchObject({
    type: 'object',
    required: ['s', 'i', 'f', 'd', 't', 'x', 'v'],
    additionalProperties: false,
  });
  const validate = new Ajv({ validateFormats: false, allowUnionTypes: true }).compile(schema ?? {});
  const sound = {
    ...{ s: '', i: 1, f: 0.5, d: '2026-01-01', t: '2026-01-01T00:00:00Z' },
    ...{ x: '', v: [1, 2, 3], u: '18446744073709551615', l: [1, '2'], b: null },
  };
  expect(validate(sound)).toBe(true);
  expect(validate({ ...sound, v: [1, 2] })).toBe(false);
  expect(validate({ ...sound, i: '1' })).toBe(false);
  expect(validate({ ...sound, more: 1 })).toBe(false);
  expect(validate({ ...sound, s: null })).toBe(false);
});

test('a query without parameters takes an empty object', () => {
  const [, write] = checkQueries(
    { text: 'query a() { insert P { name: "x" } } query b() { insert P { name: "y" } }' },
    null,
  );
  expect(write && parameterSchema(write)).toEqual({
    type: 'object',
    properties: {},
    additionalProperties: false,
  });
  expect(write && isMutation(write)).toBe(true);
  expect(query && isMutation(query)).toBe(false);
});

test('annotations say what a query is for', () => {
  expect(query && queryMetadata(query.declaration)).toEqual({
    description: 'What it does',
    instruction: 'When to use it',
    expose: false,
    toolName: 'find-it',
  });
});
