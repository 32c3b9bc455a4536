import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from './tool.js';
import { reads } from './tool-annotations.js';

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets.',
  input: z.object({ who: z.object({ name: z.string() }), times: z.int().max(3).optional() }),
  output: z.object({ greeting: z.object({ text: z.string() }) }),
  annotations: reads,
  action: (args) => [{ action: 'read' }, ...(args === undefined ? [] : [{ action: 'export' as const }])],
  run: async (_, { who }) => ({ greeting: { text: `Hello ${who.name}` } }),
});

test('trust 9: what goes in and what comes out is closed at every level', () => {
  expect(greet.input.schema()).toEqual({
    type: 'object',
    properties: {
      who: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
      times: { type: 'integer', maximum: 3 },
    },
    required: ['who'],
    additionalProperties: false,
  });
  expect(greet.output?.()).toEqual({
    type: 'object',
    properties: {
      greeting: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    },
    required: ['greeting'],
    additionalProperties: false,
  });
});

test('trust 9: bounds are enforced and not advertised, and a default is said in words', () => {
  const list = defineTool({
    name: 'list',
    title: 'List',
    description: 'Lists.',
    input: z.object({
      names: z.array(z.string().min(1).max(3)).max(2),
      limit: z.int().min(1).default(10).describe('At most this many'),
      params: z.record(z.string(), z.unknown()).optional(),
    }),
    output: z.object({}),
    annotations: reads,
    action: 'read',
    run: async () => ({}),
  });
  expect(list.input.schema()).toEqual({
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer', minimum: 1, description: 'At most this many; default: 10' },
      params: { type: 'object', additionalProperties: true },
    },
    required: ['names'],
    additionalProperties: false,
  });
  expect(list.input.parse({ names: ['a'] })).toEqual({ names: ['a'], limit: 10 });
  for (const names of [['a', 'b', 'c'], ['long'], ['']]) {
    expect(() => list.input.parse({ names })).toThrow('Invalid arguments for list: names');
  }
});

test('schemas are derived once', () => {
  expect(greet.input.schema()).toBe(greet.input.schema());
});

test('arguments that do not fit are all named', () => {
  expect(() => greet.input.parse({ who: {}, times: 4 })).toThrow(
    'Invalid arguments for greet: who.name is missing (string expected); times: too big: expected number to be <=3.',
  );
  expect(() => greet.input.parse([])).toThrow('the arguments: expected object, received array');
});

test('permissions may depend on the arguments', () => {
  expect(greet.permissions()).toEqual([{ action: 'read' }]);
  expect(greet.permissions({ who: { name: 'x' } })).toEqual([{ action: 'read' }, { action: 'export' }]);
});
