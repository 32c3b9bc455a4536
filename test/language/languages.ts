import { checkQueries } from '../../src/query/check/check-query.js';
import { parseQueries } from '../../src/query/parse-queries.js';
import { parseGraphSchema, parseGraphSchemaAst } from '../../src/schema/graph/parse-graph-schema.js';
import { examplesOn } from '../docs/examples.js';
import { queryExamples } from '../docs/query-examples.js';
import { printGraphSchema } from './print-graph-schema.js';
import { printQueries } from './print-queries.js';

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
  parse: (text) => parseGraphSchemaAst({ text }),
  print: (text) => printGraphSchema(parseGraphSchemaAst({ text })),
  check: (text) => parseGraphSchema(text),
};

const queried = queryExamples('docs/query-language.md');
const queriedSchema = parseGraphSchema(queried.schemaSource);

const gq: FuzzedLanguage = {
  name: 'gq',
  texts: [
    ...queried.examples.flatMap(({ code, refusal }) => (refusal === undefined ? [code] : [])),
    'query a($x: [I64]?, $v: Vector(3)) @x(y, z: 1) { match { $r: Recipe { slug: "a\\n", } $r $w: `wrote` $c not not $r.minutes >= -1.5e3 ($r.labels contains $x or not search($r.note, "b")) } return { $r count($c) as n } order { n desc, $r } limit 5 }',
    'query b() { insert `odd \\` name` { a: [1, "x"], b: null c: now() } update Tried set { remark: null } where from = "x" and (to != "y" or stars in [1]) delete Cook where not born is null } // end',
  ],
  words: [
    ...[
      'query',
      'match',
      'return',
      'order',
      'limit',
      'insert',
      'update',
      'delete',
      'set',
      'where',
      'as',
      'asc',
      'desc',
    ],
    ...[
      'not',
      'not {',
      'exists {',
      'and',
      'or',
      'in',
      'is',
      'null',
      'contains',
      'starts_with',
      '$',
      '$_',
      '$r',
      '$r.',
      '$r.slug',
    ],
    ...[
      'Recipe',
      'wrote',
      '<knows>',
      '{1,3}',
      '{0,99999999999}',
      'count(',
      'rrf(',
      'nearest(',
      'bm25(',
      'search(',
      'date("',
    ],
    ...[
      'now()',
      '@',
      '@mcp(',
      'String',
      'Vector(',
      '?',
      ':',
      '.',
      '`',
      '"',
      '\\',
      '\\u{',
      '//',
      '/*',
      '*/',
      '[',
      ']',
      '{',
      '}',
    ],
    ...[
      '(',
      ')',
      ',',
      '=',
      '!=',
      '<',
      '>',
      '-',
      '1e999',
      '0',
      '__proto__',
      '$__proto__',
      'constructor',
      '\0',
      '\uD800',
      '😀',
      '\n',
    ],
    ...['99999999999999999999'],
  ],
  code: 'QUERY_INVALID',
  parse: (text) => parseQueries({ text }),
  print: (text) => printQueries(parseQueries({ text })),
  check(text) {
    checkQueries({ text }, null);
    checkQueries({ text }, queriedSchema);
  },
};

export const languages: readonly FuzzedLanguage[] = [pg, gq];
