import { describe, expect, test } from 'vitest';
import { parseGraphSchemaAst } from './parse-graph-schema.js';

/** Each production of the grammar: texts it takes, and texts it refuses with where and why. */
const productions: readonly {
  readonly rule: string;
  readonly taken: readonly string[];
  readonly refused: readonly (readonly [text: string, place: string, message: RegExp])[];
}[] = [
  {
    rule: 'file',
    taken: ['', ' \n\t', '// nothing', '/* nothing */', 'node A {} node B {}', '\uFEFFnode A {}'],
    refused: [
      ['nod A {}', '1:1', /Expected .*"node".* found "nod"/],
      ['node A {} 7', '1:11', /the end of the text.* found "7"/],
      ['Node A {}', '1:1', /found "Node"/],
      ['nodeA {}', '1:1', /found "nodeA"/],
    ],
  },
  {
    rule: 'comments',
    taken: ['node/**/A/* { */{}//}', 'node A { // x: Nothing\n x: I32 /* @key */ }', '// a "quote'],
    refused: [
      ['node A {} /* open', '1:11', /This comment is not closed/],
      ['node A {} / x', '1:11', /found "\/"/],
    ],
  },
  {
    rule: 'interface',
    taken: [
      'interface A {}',
      'interface A { x: String, y: I32 }',
      'interface A { x: String @description("d") }',
    ],
    refused: [
      ['interface a {}', '1:11', /a type name, which begins with a capital letter, but found "a"/],
      ['interface A', '1:12', /Expected "\{", but found the end of the text/],
      ['interface A { @key(x) }', '1:15', /found "@key"/],
      ['interface A @description("d") {}', '1:13', /found "@description"/],
    ],
  },
  {
    rule: 'node',
    taken: [
      'node A {}',
      'node A_1 @description("d") @x implements I, J { x: String }',
      'node A { node: String edge: I32 implements: Bool }',
      'node A implements I{}',
    ],
    refused: [
      ['node {}', '1:6', /a type name/],
      ['node _A {}', '1:6', /found "_A"/],
      ['node A implements {}', '1:19', /a type name/],
      ['node A implements I, {}', '1:22', /a type name/],
      ['node A implements I @x {}', '1:21', /found "@x"/],
      ['node A', '1:7', /"\{"/],
      ['node A {', '1:9', /"\}"/],
      ['node A implement I {}', '1:8', /found "implement"/],
    ],
  },
  {
    rule: 'edge',
    taken: [
      'edge E: A -> B',
      'edge E:A->B{}',
      'edge E: A -> B @card(0..) @x { on: Date }',
      'edge E: A -> B @x @card(1..2)',
      'edge E: A -> B edge F: A -> B',
    ],
    refused: [
      ['edge E A -> B', '1:8', /":"/],
      ['edge E: A', '1:10', /"->"/],
      ['edge E: A - > B', '1:11', /"->"/],
      ['edge E: A -> b', '1:14', /a type name/],
      ['edge E: A -> B @card(1..1) @card(1..1)', '1:1', /one @card/],
    ],
  },
  {
    rule: 'card',
    taken: ['edge E: A -> B @card(1..1)', 'edge E: A -> B @card ( 0 .. )'],
    refused: [
      ['edge E: A -> B @card(1)', '1:23', /"\.\."/],
      ['edge E: A -> B @card(1..99999999999999999999)', '1:25', /This number is too large/],
      ['edge E: A -> B @card(..1)', '1:22', /a whole number/],
      ['edge E: A -> B @card(-1..1)', '1:22', /a whole number/],
      ['edge E: A -> B @card(1.5..2)', '1:22', /a whole number/],
    ],
  },
  {
    rule: 'property',
    taken: ['node A { x: String y: I32, z: Bool? , }', 'node A{x:String}', 'node A { x1_Y: String }'],
    refused: [
      ['node A { x String }', '1:12', /":"/],
      ['node A { X: String }', '1:10', /found "X"/],
      ['node A { x: }', '1:13', /found "\}"/],
      ['node A { 1x: String }', '1:10', /found "1x"/],
      ['node A { x: String,, y: I32 }', '1:20', /found ","/],
    ],
  },
  {
    rule: 'type',
    taken: [
      'node A { x: [String]? y: enum(a) z: Vector(3)? }',
      'node A { x: enum("a b", c-d, 7, __proto__,) y: [ I32 ] ? }',
    ],
    refused: [
      ['node A { x: [String }', '1:21', /"\]"/],
      ['node A { x: [[String]] }', '1:14', /a name/],
      ['node A { x: enum() }', '1:18', /a value/],
      ['node A { x: Vector }', '1:20', /"\("/],
      ['node A { x: Vector(-1) }', '1:20', /a whole number/],
      ['node A { x: String?? }', '1:20', /found "\?"/],
    ],
  },
  {
    rule: 'constraint',
    taken: [
      'node A { @key(x) @unique(x, y,) @index(x) }',
      'node A { x: String @key(x) }',
      'node A { @range(x, 1..2) @range(x, ..2) @range(x, -1.5..) @range(x, 1e3..2E+4) @check(x, "a") }',
    ],
    refused: [
      ['node A { @key() }', '1:15', /found "\)"/],
      ['node A { @keys(x) }', '1:11', /key, unique, index, range or check/],
      ['node A { @key }', '1:15', /"\("/],
      ['node A { @key(x }', '1:17', /"\)"/],
      ['node A { @range(x, 1...2) }', '1:23', /found "\."/],
    ],
  },
  {
    rule: 'annotation',
    taken: [
      'node A @x @x() @x(y) @x("y") @x(1) @x(true) @x([1, "a",]) @x(date("2026-01-01")) {}',
      'node A @x(y, a: 1) @x(a = 1, b: "c") @x("y" a: 1 b: 2) @x(Word) {}',
    ],
    refused: [
      ['node A @ {}', '1:9', /a name/],
      ['node A @x(a:) {}', '1:13', /found "\)"/],
      ['node A @x(a: b) {}', '1:14', /found "b"/],
      ['node A @x(1, 2) {}', '1:14', /found "2"/],
      ['node A { x: I32 @rang(x, 1..2) }', '1:22', /Only @range takes bounds/],
    ],
  },
  {
    rule: 'literal',
    taken: [
      'node A @x("\\"\\\\\\n\\u0041\\u{1F600}\\d") @x(-0.5e-3) @x(123456789012345678901) @x([]) @x([[1], []]) {}',
      'node A @x("two\nlines") @x(datetime("2026-01-01T00:00:00Z")) {}',
    ],
    refused: [
      ['node A @x("open) {}', '1:11', /This string is not closed/],
      ['node A @x(1.) {}', '1:12', /found "\."/],
      ['node A @x(.5) {}', '1:11', /found "\."/],
      ['node A @x([1 2]) {}', '1:14', /found "2"/],
      ['node A @x("\\uD800") {}', '1:11', /must be valid Unicode/],
      ['node A @x("\\u0000") {}', '1:11', /NUL/],
      ['node A @x(date(2026)) {}', '1:16', /a string/],
    ],
  },
];

describe.each(productions)('the production $rule', ({ taken, refused }) => {
  test.each(taken)('takes %j', (text) => {
    expect(() => parseGraphSchemaAst({ text })).not.toThrow();
  });

  test.each(refused)('refuses %j at %s', (text, place, message) => {
    const [line, column] = place.split(':').map(Number);
    expect(() => parseGraphSchemaAst({ text, file: 'a.pg' })).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        message: expect.stringMatching(message),
        details: { file: 'a.pg', problems: [expect.objectContaining({ code: 'syntax', line, column })] },
      }),
    );
  });
});

test('a misspelt word gets the one that was meant', () => {
  expect(() => parseGraphSchemaAst({ text: 'node A {}\nedg E: A -> A', file: 'a.pg' })).toThrow(
    /^a\.pg:2:1: Expected .*, but found "edg"\. Did you mean "edge"\?$/,
  );
});

test('a tree is frozen', () => {
  const { declarations } = parseGraphSchemaAst({ text: 'node A { x: String }' });
  expect(Object.isFrozen(declarations)).toBe(true);
  expect(Object.isFrozen(declarations[0]?.members[0])).toBe(true);
});

test('escapes mean what they say, and other backslashes stay, as patterns want them', () => {
  const [declaration] = parseGraphSchemaAst({
    text: String.raw`node A @x("\"\\\n\t\r\u00e9\u{1F600}\d\.") {}`,
  }).declarations;
  expect(declaration).toMatchObject({ annotations: [{ value: { text: '"\\\n\t\ré😀\\d\\.' } }] });
});
