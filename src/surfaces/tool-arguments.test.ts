import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseArguments } from './tool-arguments.js';

const entity = z.object({
  name: z.string().min(1),
  tags: z.array(z.string()).default([]),
  summary: z.string().nullish(),
});
const input = z.object({
  entities: z.array(entity),
  limit: z.int().min(1).optional(),
  cursor: z.string().min(1).optional(),
  mode: z.enum(['text', 'ranked']).default('text'),
  query: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

const parse = (given: unknown) => parseArguments(input, 'search', given);

describe('trust 8: what clients send for an argument they do not give', () => {
  test('null is left out, at every level', () => {
    const given = {
      entities: [{ name: 'A', tags: null }],
      limit: null,
      cursor: null,
      mode: null,
      query: null,
    };
    expect(parse(given)).toEqual({ entities: [{ name: 'A', tags: [] }], mode: 'text' });
  });

  test('an empty text is left out where it is not valid, and kept where it is', () => {
    expect(parse({ entities: [], cursor: '', mode: '', query: '' })).toEqual({
      entities: [],
      mode: 'text',
      query: '',
    });
  });

  test('null stays where it has a meaning, and inside what a caller may put in freely', () => {
    const given = { entities: [{ name: 'A', summary: null }], params: { a: null, b: '' } };
    expect(parse(given)).toEqual({
      entities: [{ name: 'A', tags: [], summary: null }],
      mode: 'text',
      params: { a: null, b: '' },
    });
  });

  test('null and an empty text for what is required are refused', () => {
    expect(() => parse({ entities: null })).toThrow('entities: expected array, received null');
    expect(() => parse({ entities: [{ name: '' }] })).toThrow('entities[0].name must not be empty');
  });
});

describe('trust 10: what no schema declares', () => {
  test('is refused at every level, with what was probably meant', () => {
    const given = { entities: [{ name: 'A' }, { name: 'B', tag: ['x'] }], curser: 'x' };
    expect(() => parse(given)).toThrow(
      'Invalid arguments for search: entities[1] has no field "tag" (did you mean tags?); ' +
        'unknown argument "curser" (did you mean cursor?).',
    );
  });

  test('is said before what is missing because of it', () => {
    expect(() => parse({ entitys: [] })).toThrow(
      'unknown argument "entitys" (did you mean entities?); entities is missing (array expected).',
    );
  });

  test('is answered with what there is, if nothing is close', () => {
    expect(() => parse({ entities: [{ name: 'A', colour: 'red' }] })).toThrow(
      'entities[0] has no field "colour" (use name, tags, summary).',
    );
  });

  test('is listed up to a number', () => {
    const entities = Array.from({ length: 10_000 }, () => ({ name: 'A', tag: 1 }));
    expect(() => parse({ entities })).toThrow(/entities\[4\] has no field .* And 9995 more\.$/);
  });

  test('is named by its path, for programs', () => {
    expect(() => parse({ entities: [{ name: 'A', tag: 1 }] })).toThrow(
      expect.objectContaining({ details: { paths: ['entities[0].tag'] } }),
    );
  });

  test('is ignored by a tool without arguments', () => {
    expect(parseArguments(z.object({}), 'health', { random_string: 'x' })).toEqual({});
    expect(() => parseArguments(z.object({}), 'health', [])).toThrow('expected object, received array');
  });
});
