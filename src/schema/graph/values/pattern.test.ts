import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { graphSchemaLimits } from '../../../model/limits.js';
import { parseGraphSchema, parseStoredGraphSchema } from '../parse-graph-schema.js';
import { checkRowProps } from '../rows/check-row-props.js';
import { patternProblem, patternSizeProblem } from './pattern.js';
import { estimatePatternSize } from './pattern-size.js';

/** What blocked everybody for 28 seconds on a text of 1,000 characters. */
const hostile = `^${'.{0,1000}'.repeat(100)}$`;

const checked = (...patterns: string[]) =>
  `node A { code: String @key ${patterns.map((pattern) => `@check(code, ${JSON.stringify(pattern)})`).join(' ')} }`;

describe('trust 31: the pattern of a check', () => {
  test('is refused by its size, before it is compiled', () => {
    expect(hostile.length).toBeLessThan(graphSchemaLimits.patternLength);
    expect(() => parseGraphSchema(checked(hostile))).toThrow(
      /This pattern compiles to about \d{6} instructions; at most 2500 are allowed\. Repeat less/,
    );
  });

  test.each([
    '^[a-z]+$',
    '^.{1,255}$',
    '^.{0,1000}$',
    '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,63}$',
    '(?i)^(a|b|c){1,20}$',
  ])('%s is not too large', (pattern) => {
    expect(() => parseGraphSchema(checked(pattern))).not.toThrow();
  });

  test('counts with those of the whole schema', () => {
    const large = (index: number) => `^.{0,${1_000 - index}}$`;
    const patterns = Array.from({ length: 8_000 }, (_, index) => large(index % 900));
    expect(() => parseGraphSchema(checked(...patterns.slice(0, 12)))).not.toThrow();
    expect(() => parseGraphSchema(checked(...patterns))).toThrow(/a schema may have at most 25000/);
  });

  test('bounds the length of what it checks by its own size', () => {
    const pattern = '^.{0,1000}$';
    expect(patternProblem(pattern, 'x'.repeat(1_000))).toBeUndefined();
    expect(patternProblem(pattern, 'x'.repeat(1_100))).toBe('must match "^.{0,1000}$".');
    expect(patternProblem(pattern, 'x'.repeat(1_000_000))).toBe(
      'must have at most 1247 characters: its pattern takes 2004 steps for each.',
    );
    expect(patternProblem('^x', 'x'.repeat(100_000))).toBeUndefined();
  });

  test('of a schema that was stored without bounds lets the graph be read, and nothing in', () => {
    const schema = parseStoredGraphSchema(checked(hostile));
    const type = schema.nodes.get('A');
    if (type === undefined) throw new Error('There is no type.');
    expect(checkRowProps(type, { code: 'x' }).problems).toMatchObject([
      {
        code: 'check_failed',
        message: expect.stringContaining('cannot be checked: its pattern compiles to'),
      },
    ]);
  });

  test.each(['(', '[a', '*', 'a{2,1}', '\\pQ'])('%s is said to be not well-formed', (pattern) => {
    expect(() => patternSizeProblem(pattern)).toThrow();
    expect(() => parseGraphSchema(checked(pattern))).toThrow(/This pattern cannot be used/);
  });
});

test('trust 31: the estimated size of a pattern is never far below what it compiles to', () => {
  const atom = fc.constantFrom(
    'a',
    '.',
    '[a-z]',
    '[]^x]',
    '\\d',
    '\\pL',
    '\\p{Greek}',
    '\\x{1F600}',
    'é',
    '[[:alpha:]_]',
    '\\Qa.b\\E',
    '^',
    '$',
    '(?i)',
  );
  const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
    term: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc
        .tuple(fc.constantFrom('(', '(?:', '(?P<n>'), tie('pattern'))
        .map(([open, inner]) => `${open}${inner})`),
      fc
        .tuple(atom, fc.constantFrom('*', '+', '?', '*?', '{3}', '{2,}', '{0,7}', '{1,40}?', '{0,200}'))
        .map(([one, times]) => one + times),
      fc
        .tuple(tie('pattern'), fc.constantFrom('{2}', '{0,5}', '+'))
        .map(([inner, times]) => `(?:${inner})${times}`),
    ),
    pattern: fc.oneof(
      fc.array(tie('term'), { minLength: 1, maxLength: 4 }).map((terms) => terms.join('')),
      fc.tuple(tie('term'), tie('term')).map((both) => both.join('|')),
    ),
  }));
  let compiled = 0;
  const holds = fc.property(pattern, (made) => {
    const estimate = estimatePatternSize(made);
    fc.pre(estimate < 20_000);
    let size: number;
    try {
      size = RE2JS.compile(made).programSize();
    } catch {
      return fc.pre(false);
    }
    compiled += 1;
    expect([made, estimate, size <= 2 * estimate + 10]).toEqual([made, estimate, true]);
  });
  fc.assert(holds, { numRuns: 500 });
  expect(compiled).toBeGreaterThan(100);
});
