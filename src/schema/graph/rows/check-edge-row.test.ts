import { describe, expect, test } from 'vitest';
import { parseGraphSchema } from '../parse-graph-schema.js';
import { checkEdgeRow } from './check-edge-row.js';

const schema = parseGraphSchema(`
  node Cook {} node Recipe {}
  edge Tried: Cook -> Recipe { stars: U32  on: DateTime? }
  edge Made: Cook -> Recipe { on: Date  note: String?  @key(src, dst, on)  @check(note, "^[a-z]") }
  edge Paired: Recipe -> Recipe { a: I32  b: String  @key(src, dst, b, a) }
`);

test('an edge that fits has its type as the schema spells it, canonical values and its key', () => {
  expect(checkEdgeRow(schema, 'MADE', { on: '2026-01-01' })).toEqual({
    type: 'Made',
    props: { on: '2026-01-01' },
    key: '2026-01-01',
    problems: [],
  });
  expect(checkEdgeRow(schema, 'Tried', { stars: 3 }).key).toBeNull();
  expect(checkEdgeRow(schema, 'Paired', { a: 1, b: 'x' }).key).toBe('["x",1]');
});

describe('an edge does not fit', () => {
  test.each([
    ['an unknown type', 'Tryed', {}, 'unknown_type', /no edge "Tryed"\. Did you mean "Tried"/],
    [
      'an unknown property',
      'Tried',
      { stars: 1, star: 1 },

      'unknown_property',
      /no property "star".*"stars"/,
    ],
    ['a missing property', 'Tried', {}, 'missing_property', /Tried\.stars is required/],
    ['a wrong value', 'Tried', { stars: -1 }, 'wrong_type', /Tried\.stars must be U32/],
    [
      'a failed check',
      'Made',
      { on: '2026-01-01', note: 'X' },

      'check_failed',
      /Made\.note must match/,
    ],
    ['a key that is too long', 'Paired', { a: 1, b: 'x'.repeat(5000) }, 'bad_key', /at most 4096/],
  ] as const)('for %s', (_, type, props, code, message) => {
    expect(checkEdgeRow(schema, type, props).problems).toEqual([
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    ]);
  });
});
