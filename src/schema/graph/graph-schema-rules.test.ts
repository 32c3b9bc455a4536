import { describe, expect, test } from 'vitest';
import { parseGraphSchema } from './parse-graph-schema.js';

/** Each rule: a schema that breaks it, where, and what is said. */
const broken: readonly (readonly [
  rule: string,
  text: string,
  place: string,
  code: string,
  message: RegExp,
])[] = [
  ['a node twice', 'node A {} node A {}', '1:16', 'duplicate_type', /There is already a node A\./],
  ['a node like an interface', 'interface A {} node A {}', '1:21', 'duplicate_type', /an interface A/],
  [
    'an edge twice, whatever its case',
    'node A {} edge Knows: A -> A edge KNOWS: A -> A',
    '1:35',
    'duplicate_type',
    /already an edge KNOWS as Knows/,
  ],
  [
    'an unknown end',
    'node Cook {} edge E: Cok -> Cook',
    '1:22',
    'unknown_type',
    /no node Cok\. Did you mean "Cook"/,
  ],
  [
    'an interface as an end',
    'interface I {} node A {} edge E: A -> I',
    '1:39',
    'not_a_node',
    /is an interface/,
  ],
  ['an unknown interface', 'interface Named {} node A implements Nmed {}', '1:38', 'unknown_type', /"Named"/],
  [
    'a node that is implemented',
    'node A {} node B implements A {}',
    '1:29',
    'not_an_interface',
    /A is a node/,
  ],
  [
    'an interface named twice',
    'interface I {} node A implements I, I {}',
    '1:37',
    'duplicate_interface',
    /twice/,
  ],
  ['a property twice', 'node A { x: I32 x: I32 }', '1:17', 'duplicate_property', /x is declared twice/],
  [
    'a redeclared property of another type',
    'interface I { x: String } node A implements I { x: String? }',
    '1:49',
    'property_conflict',
    /x is String\?, but elsewhere String/,
  ],
  [
    'interfaces that disagree',
    'interface I { x: String } interface J { x: I32 } node A implements I, J {}',
    '1:71',
    'property_conflict',
    /J\.x is I32, but elsewhere String/,
  ],
  ['an unknown type of value', 'node A { x: Strng }', '1:13', 'unknown_value_type', /Did you mean "String"/],
  ['a type of another language', 'node A { x: integer }', '1:13', 'unknown_value_type', /Did you mean "I32"/],
  ['a type of value in another case', 'node A { x: [string] }', '1:14', 'unknown_value_type', /"String"/],
  ['a name that begins with _', 'node A { _id: String }', '1:10', 'reserved_name', /_id begins with _.*"id"/],
  ['__proto__', 'node A { __proto__: String }', '1:10', 'reserved_name', /begins with _/],
  [
    'from on an edge',
    'node A {} edge E: A -> A { from: String }',
    '1:28',
    'reserved_name',
    /end of the edge/,
  ],
  ['to on an edge', 'node A {} edge E: A -> A { to: String }', '1:28', 'reserved_name', /end of the edge/],
  ['src on an edge', 'node A {} edge E: A -> A { src: String }', '1:28', 'reserved_name', /end of the edge/],
  ['two keys', 'node A { x: I32 @key y: I32 @key }', '1:29', 'duplicate_key', /one key.*@key\(x, y\)/],
  ['two keys, one in the body', 'node A { x: I32 @key y: I32 @key(y) }', '1:29', 'duplicate_key', /one key/],
  ['a key that may be null', 'node A { x: I32? @key }', '1:18', 'bad_member', /x may be null/],
  ['a list as a key', 'node A { x: [I32] @key }', '1:19', 'bad_member', /x is a list/],
  ['a vector as a key', 'node A { x: Vector(2) @key }', '1:23', 'bad_member', /x is a vector/],
  ['a blob as a key', 'node A { x: Blob @key }', '1:18', 'bad_member', /x is a blob/],
  ['a unique list', 'node A { x: [I32] @unique }', '1:19', 'bad_member', /x is a list/],
  ['an index on a blob', 'node A { x: Blob @index }', '1:18', 'bad_member', /x is a blob/],
  ['a key with a default', 'node A { x: I32 @key @default(1) }', '1:22', 'bad_default', /part of the key/],
  [
    'an edge key on a property',
    'node A {} edge E: A -> A { x: I32 @key }',
    '1:35',
    'key_without_ends',
    /@key\(src, dst, x\)/,
  ],
  [
    'an edge key without dst',
    'node A {} edge E: A -> A { x: I32 @key(src, x) }',
    '1:35',
    'key_without_ends',
    /@key\(src, dst, x\)/,
  ],
  [
    'an unknown member',
    'node A { name: I32 @unique(nme) }',
    '1:28',
    'unknown_property',
    /no property nme\. Did you mean "name"/,
  ],
  [
    'src in the key of a node',
    'node A { x: I32 @key(src, x) }',
    '1:22',
    'unknown_property',
    /no property src/,
  ],
  ['a member twice', 'node A { x: I32 @unique(x, x) }', '1:28', 'bad_member', /x stands here twice/],
  ['a literal as a member', 'node A { x: I32 @unique("x") }', '1:25', 'bad_member', /the name of a property/],
  ['a range of a string', 'node A { x: String @range(x, 1..2) }', '1:20', 'bad_range', /for numbers/],
  ['a range without bounds', 'node A { x: I32 @range(x, ..) }', '1:27', 'bad_range', /at least one bound/],
  ['an empty range', 'node A { x: I32 @range(x, 2..1) }', '1:27', 'bad_range', /No number lies in 2\.\.1/],
  [
    'an empty range beyond 2^53',
    'node A { x: I64 @range(x, 9007199254740993..9007199254740992) }',
    '1:27',
    'bad_range',
    /No number lies in 9007199254740993\.\.9007199254740992/,
  ],
  ['a bound like 1e999', 'node A { x: F64 @range(x, 1..1e999) }', '1:27', 'bad_range', /F64 can hold/],
  [
    'a range of one argument',
    'node A { x: I32 @range(x) }',
    '1:17',
    'bad_range',
    /@range\(minutes, 1\.\.600\)/,
  ],
  [
    'a range of an edge',
    'node A {} edge E: A -> A { x: I32 @range(x, 1..2) }',
    '1:35',
    'misplaced_constraint',
    /nodes/,
  ],
  [
    'a range of an unknown property',
    'node A { x: I32 @range(y, 1..2) }',
    '1:24',
    'unknown_property',
    /no property y/,
  ],
  ['a check of a number', 'node A { x: I32 @check(x, "a") }', '1:17', 'bad_check', /for strings/],
  [
    'a check that is no pattern',
    'node A { x: String @check(x, "(") }',
    '1:30',
    'bad_check',
    /missing closing \)/,
  ],
  [
    'a check that would backtrack',
    'node A { x: String @check(x, "(a)\\\\1") }',
    '1:30',
    'bad_check',
    /cannot be used/,
  ],
  [
    'a check with too large a pattern',
    'node A { x: String @check(x, "((a{100}){100}){100}") }',
    '1:30',
    'large_pattern',
    /compiles to about 1020\d+ instructions/,
  ],
  [
    'a check without a pattern',
    'node A { x: String @check(x) }',
    '1:20',
    'bad_check',
    /takes a property and a pattern/,
  ],
  [
    'an end in a check',
    'node A {} edge E: A -> A { @check(src, "a") }',
    '1:35',
    'bad_member',
    /end of the edge/,
  ],
  [
    'a default of the wrong type',
    'node A { x: I32 @default("1") }',
    '1:26',
    'bad_default',
    /must be I32, but is the string "1"/,
  ],
  [
    'a default out of range',
    'node A { x: I32 @default(0) @range(x, 1..2) }',
    '1:29',
    'bad_default',
    /must lie in 1\.\.2/,
  ],
  [
    'a default that fails its check',
    'node A { x: String @default("b") @check(x, "^a") }',
    '1:34',
    'bad_default',
    /not match/,
  ],
  [
    'a default that is no member',
    'node A { x: enum(low, high) @default(lwo) }',
    '1:38',
    'bad_default',
    /one of low, high.*"low"/,
  ],
  ['a default without a value', 'node A { x: I32 @default }', '1:17', 'bad_default', /takes a value/],
  ['@embed on a string', 'node A { x: String y: String @embed("x") }', '1:30', 'bad_embed', /fills a Vector/],
  [
    '@embed of a number',
    'node A { x: I32 y: Vector(2) @embed("x") }',
    '1:30',
    'bad_embed',
    /String property/,
  ],
  [
    '@embed of an unknown property',
    'node A { note: String y: Vector(2) @embed(nte) }',
    '1:36',
    'unknown_property',
    /"note"/,
  ],
  [
    '@embed on an edge',
    'node A {} edge E: A -> A { x: String y: Vector(2) @embed("x") }',
    '1:51',
    'bad_embed',
    /for nodes/,
  ],
  ['a vector of no numbers', 'node A { x: Vector(0) }', '1:13', 'bad_vector', /1 to 16000/],
  ['a vector of too many', 'node A { x: Vector(16001) }', '1:13', 'bad_vector', /1 to 16000/],
  [
    'an enum value twice',
    'node A { x: enum(a, b, "a") }',
    '1:24',
    'duplicate_value',
    /"a" stands in this enum twice/,
  ],
  ['an empty enum value', 'node A { x: enum("") }', '1:18', 'bad_enum_value', /1 to 200/],
  [
    'a cardinality upside down',
    'node A {} edge E: A -> A @card(2..1)',
    '1:26',
    'bad_cardinality',
    /no number of edges/,
  ],
  [
    'a cardinality of nothing',
    'node A {} edge E: A -> A @card(0..0)',
    '1:26',
    'bad_cardinality',
    /no number of edges/,
  ],
  ['@key on a node', 'node A @key { x: I32 }', '1:9', 'misplaced_annotation', /@key\(…\) in the body/],
  [
    '@range on a property',
    'node A { x: I32 @range }',
    '1:18',
    'misplaced_annotation',
    /@range\(property, 1\.\.10\)/,
  ],
  ['@card on a node', 'node A @card {}', '1:9', 'misplaced_annotation', /edge A: B -> C @card/],
  [
    '@default on an edge',
    'node A {} edge E: A -> A @default(1)',
    '1:27',
    'misplaced_annotation',
    /behind a property/,
  ],
  [
    'an annotation twice',
    'node A @description("a") @description("b") {}',
    '1:27',
    'duplicate_annotation',
    /twice/,
  ],
  ['a description that is no text', 'node A @description(a) {}', '1:8', 'bad_annotation', /takes a text/],
  ['a description with more', 'node A @description("a", b: 1) {}', '1:26', 'bad_annotation', /takes no b/],
  ['@rename_from of nothing', 'node A @rename_from {}', '1:8', 'bad_annotation', /takes a name/],
  ['a rename from itself', 'node A @rename_from("A") {}', '1:8', 'bad_rename', /own name/],
  [
    'two renames from one',
    'node A @rename_from("X") {} node B @rename_from("X") {}',
    '1:36',
    'bad_rename',
    /A is already/,
  ],
  ['a property renamed from itself', 'node A { x: I32 @rename_from("x") }', '1:17', 'bad_rename', /own name/],
  ['a long name', `node A${'a'.repeat(200)} {}`, '1:6', 'name_too_long', /201 characters; at most 200/],
];

describe('a schema is refused', () => {
  test.each(broken)('for %s', (_, text, place, code, message) => {
    const [line, column] = place.split(':').map(Number);
    expect(() => parseGraphSchema(text, 'a.pg')).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        message: expect.stringMatching(message),
        hint: expect.stringContaining('docs/schema-language.md'),
        details: { file: 'a.pg', problems: [expect.objectContaining({ code, line, column })] },
      }),
    );
  });

  test('with everything that is wrong with it, in the order of the text', () => {
    const text = 'node A { x: Strng }\nnode B { y: I32? @key }\nedge E: C -> D';
    expect(() => parseGraphSchema(text, 'a.pg')).toThrow(
      [
        '4 problems:',
        '  a.pg:1:13: There is no type of value Strng. Did you mean "String"?',
        '  a.pg:2:18: y may be null, and what is part of a key may not.',
        '  a.pg:3:9: There is no node C. Did you mean "A"?',
        '  a.pg:3:14: There is no node D. Did you mean "A"?',
      ].join('\n'),
    );
  });

  test('naming line and column where there is no file', () => {
    expect(() => parseGraphSchema('\n  nod')).toThrow(/^line 2, column 3: /);
  });

  test('complaining once of a property whose type is unknown', () => {
    expect(() => parseGraphSchema('node A { x: Nonsense @key  @unique(x) @range(x, 1..2) }')).toThrow(
      /^line 1, column 13/,
    );
  });
});
