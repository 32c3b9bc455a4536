import { parseGraphSchema } from '../../src/schema/pg/parse-graph-schema.js';
import { parseSchemaTree } from '../../src/schema/pg/parse-tree.js';
import { printSchema } from '../../src/schema/pg/print-schema.js';
import { examplesOn } from '../docs/examples.js';

/** A language that is fuzzed: what it looks like, and what must hold of every text. */
export interface FuzzedLanguage {
  readonly name: string;
  /** Texts that are taken, from which others are made. */
  readonly texts: readonly string[];
  /** What its texts are made of, to be put where it does not belong. */
  readonly words: readonly string[];
  /** The code of its errors. */
  readonly code: string;
  /** The tree of a text. */
  parse(text: string): object;
  /** The text of a tree. */
  print(text: string): string;
  /** Whatever else is done with a text before it is used. */
  check(text: string): unknown;
}

const pg: FuzzedLanguage = {
  name: 'pg',
  texts: [
    ...examplesOn('docs/schema-language.md', 'pg').flatMap(({ code, refusal }) =>
      refusal === undefined ? [code] : [],
    ),
    'interface I { a: String @key b: [I64]? } node N @description("x\\n") implements I { c: enum(x, "y z")? @default(x) }',
    'node N { v: Vector(3)? @embed("a") a: String @index @x(y, z: [1, [2.5e3, true]], w = date("2026-01-01")) @range(n, -1.5..) n: F64? @check(a, "^\\d+$") }',
    'node A {} // comment\n/* another */ edge E: A -> A @card(0..2) @rename_from("F") { on: DateTime @key(src, dst, on) @unique(src, on) }',
  ],
  words: [
    ...[
      'node',
      'edge',
      'interface',
      'implements',
      'enum(',
      'Vector(',
      '->',
      '..',
      '@',
      '@key',
      '@key(',
      '@range(',
    ],
    ...[
      '@check(',
      '@card(',
      '@default(',
      '@embed(',
      '@rename_from(',
      'String',
      'I64',
      'Blob',
      'src',
      'dst',
      '?',
      ':',
    ],
    ...[
      '//',
      '/*',
      '*/',
      '"',
      '\\',
      '\\u{',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      ',',
      '=',
      '-',
      '1e999',
      '0',
      '_',
      '__proto__',
    ],
    ...['constructor', '\0', '\uD800', '\uFEFF', '😀', '\n', '\r', '99999999999999999999'],
  ],
  code: 'SCHEMA_INVALID',
  parse: (text) => parseSchemaTree({ text }),
  print: (text) => printSchema(parseSchemaTree({ text })),
  check: (text) => parseGraphSchema(text),
};

export const languages: readonly FuzzedLanguage[] = [pg];
