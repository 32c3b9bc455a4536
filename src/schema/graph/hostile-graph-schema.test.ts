import { describe, expect, test } from 'vitest';
import { graphSchemaLimits, languageLimits } from '../../model/limits.js';
import { parseGraphSchema } from './parse-graph-schema.js';

describe('hostile input', () => {
  const refused = (text: string) => {
    try {
      parseGraphSchema(text);
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  };

  test.each([
    ['100,000 open brackets', '['.repeat(100_000), 'too_deep'],
    ['100,000 open braces in a default', `node A { x: I32 @default(${'['.repeat(100_000)}`, 'too_deep'],
    ['a NUL', 'node A\0 {}', 'not_text'],
    ['half a surrogate pair', 'node A { x: enum("\uD800") }', 'not_text'],
    ['a text that is too long', ' '.repeat(languageLimits.sourceLength + 1), 'too_long'],
    ['100,000 open comments', '/*'.repeat(100_000), 'syntax'],
    ['100,000 quotes', '"'.repeat(100_001), 'syntax'],
    ['a string of 250,000 backslashes', `node A @x("${'\\'.repeat(250_000)}`, 'syntax'],
    ['lists in lists that end wrong', `node A @x(${'[1, '.repeat(98)}! {}`, 'syntax'],
    [
      'lists in arguments that end wrong',
      `node A { @key(${`[${'['.repeat(90)}${']'.repeat(90)}], `.repeat(1_000)}! }`,
      'syntax',
    ],
    ['comments where anything is allowed', `node A @key ${'/* */ '.repeat(40_000)}!`, 'syntax'],
    ['200,000 at signs', '@'.repeat(200_000), 'syntax'],
    ['an annotation that never ends', `node A @x(${'a: 1, '.repeat(40_000)}`, 'syntax'],
    ['a schema of 30,000 types', 'node A{}'.repeat(30_000), 'duplicate_type'],
    ['30,000 unknown names', `node A { ${'x: Foo '.repeat(30_000)} }`, 'unknown_value_type'],
  ])('%s is refused, and soon', (_, text, code) => {
    expect(refused(text)).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { problems: expect.arrayContaining([expect.objectContaining({ code })]) },
    });
  });

  test('brackets in strings and comments do not count', () => {
    const brackets = '['.repeat(10_000);
    expect(() =>
      parseGraphSchema(`node A @x("${brackets}") {} // ${brackets}\n/* ${brackets} */`),
    ).not.toThrow();
  });

  test('a long message is cut', () => {
    const error = refused(`node A { ${Array.from({ length: 500 }, (_, i) => `x${i}: Foo`).join(' ')} }`);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^100 problems:\n[\s\S]*\n {2}and 80 more$/),
    });
  });

  test('names that every object has are nothing special', () => {
    const schema = parseGraphSchema(`
      node Constructor { constructor: String @key  toString: I32?  hasOwnProperty: enum(__proto__, constructor)? }
      edge ToString: Constructor -> Constructor @x(constructor: 1)
    `);
    expect(schema.nodes.get('Constructor')?.key).toEqual(['constructor']);
    expect(schema.nodes.get('toString')).toBeUndefined();
    expect(schema.edges.get('constructor')).toBeUndefined();
    expect(schema.edges.get('tostring')?.annotations[0]?.named).toEqual({ constructor: 1 });
  });

  test.each([
    ['types', Array.from({ length: graphSchemaLimits.types + 1 }, (_, i) => `node A${i} {}`).join(' ')],
    [
      'properties',
      `node A { ${Array.from({ length: graphSchemaLimits.properties + 1 }, (_, i) => `x${i}: I32`).join(' ')} }`,
    ],
    [
      'values of an enum',
      `node A { x: enum(${Array.from({ length: graphSchemaLimits.enumValues + 1 }, (_, i) => `v${i}`).join(', ')}) }`,
    ],
    [
      'members of an index',
      `node A { ${Array.from({ length: 17 }, (_, i) => `x${i}: I32`).join(' ')} @index(${Array.from({ length: 17 }, (_, i) => `x${i}`).join(', ')}) }`,
    ],
  ])('more %s than allowed are refused', (_, text) => {
    expect(refused(text)).toMatchObject({ details: { problems: [{ code: 'too_many' }] } });
  });
});
