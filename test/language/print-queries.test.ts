import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Literal, Name } from '../../src/language/literal.js';
import { scalars, type ValueType } from '../../src/model/value-type.js';
import { parseQueries } from '../../src/query/parse-queries.js';
import {
  type Assignment,
  type Clause,
  type MutationStatement,
  operators,
  type QueryDeclaration,
  type QueryExpression,
  type QueryFile,
} from '../../src/query/query-ast.js';
import { printQueries } from './print-queries.js';
import { withoutPlaces } from './without-places.js';

const at = 0;

/** What a name in backquotes may be: anything but nothing. */
const anything = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 8 })
  .filter((text) => !text.includes('\0') && text.isWellFormed());
const plain = fc.stringMatching(/^[a-z_][A-Za-z0-9_]{0,5}$/);
const words = fc.constantFrom('in', 'not', 'contains', 'as', 'null', 'true', 'desc', 'query', '__proto__');
const anyName = fc.oneof(plain, words, anything);
const variable = fc.stringMatching(/^[A-Za-z0-9_]{1,4}$/);
const named = (names: fc.Arbitrary<string>): fc.Arbitrary<Name> => names.map((text) => ({ text, at }));
const text = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('\b', '\\d', '"', '\u2028'))
  .filter((each) => !each.includes('\0') && each.isWellFormed());

const literal: fc.Arbitrary<Literal> = fc.letrec<{ literal: Literal }>((tie) => ({
  literal: fc.oneof(
    { maxDepth: 2 },
    fc.record({
      kind: fc.constantFrom('string' as const, 'date' as const, 'datetime' as const),
      text,
      at: fc.constant(at),
    }),
    fc.record({
      kind: fc.constant('number' as const),
      text: fc.stringMatching(/^-?\d{1,20}(\.\d{1,3})?(e[+-]?\d)?$/),
      at: fc.constant(at),
    }),
    fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean(), at: fc.constant(at) }),
    fc.record({
      kind: fc.constant('list' as const),
      items: fc.array(tie('literal'), { maxLength: 3 }),
      at: fc.constant(at),
    }),
  ),
})).literal;

/** The name of a function is neither a word of the language nor one of its literals. */
const functionName = plain.filter(
  (name) =>
    !/^(contains|starts_with|in|is|and|or|not|exists|as|asc|desc|date|datetime|null|true|false)$/.test(name),
);

const count = fc.nat({ max: 1000 });
const typeName = named(fc.oneof(fc.stringMatching(/^[A-Z][a-z]{0,4}$/), anything));

/** What is a clause by itself: neither a name nor a literal other than true and false. */
const isClause = ({ kind }: QueryExpression) =>
  !['name', 'null', 'string', 'number', 'date', 'datetime', 'list'].includes(kind);

const trees = fc.letrec<{ expression: QueryExpression; assignment: Assignment; clause: Clause }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    literal,
    fc.constant({ kind: 'null' as const, at }),
    fc.record({ kind: fc.constant('property' as const), at: fc.constant(at), variable, property: anyName }),
    fc.record({
      kind: fc.constant('system' as const),
      at: fc.constant(at),
      variable: fc.option(variable),
      field: fc.constantFrom('@id' as const, '@src' as const, '@dst' as const),
    }),
    fc.record({ kind: fc.constant('variable' as const), at: fc.constant(at), name: variable }),
    fc.record({ kind: fc.constant('name' as const), at: fc.constant(at), name: anyName }),
    fc.record({
      kind: fc.constant('call' as const),
      at: fc.constant(at),
      name: functionName,
      arguments: fc.array(tie('expression'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      at: fc.constant(at),
      operator: fc.constantFrom(...operators),
      left: tie('expression'),
      right: tie('expression'),
    }),
    fc.record({
      kind: fc.constant('is-null' as const),
      at: fc.constant(at),
      operand: tie('expression'),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      at: fc.constant(at),
      predicates: fc.array(tie('expression'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), at: fc.constant(at), predicate: tie('expression') }),
    fc.record({
      kind: fc.constant('block' as const),
      at: fc.constant(at),
      negated: fc.boolean(),
      clauses: fc.array(tie('clause'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('block-aggregate' as const),
      at: fc.constant(at),
      fn: fc.constant('count' as const),
      of: fc.constant(null),
      clauses: fc.array(tie('clause'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('block-aggregate' as const),
      at: fc.constant(at),
      fn: fc.constantFrom('sum' as const, 'avg' as const, 'min' as const, 'max' as const),
      of: tie('expression'),
      clauses: fc.array(tie('clause'), { minLength: 1, maxLength: 3 }),
    }),
  ),
  assignment: fc.record({ at: fc.constant(at), name: anyName, value: tie('expression') }),
  clause: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      kind: fc.constant('binding' as const),
      variable: named(variable),
      type: typeName,
      properties: fc.array(tie('assignment'), { maxLength: 2 }),
    }),
    fc.record({
      kind: fc.constant('traversal' as const),
      // A Bool parameter is no source.
      source: named(variable.filter((name) => !name.startsWith('P'))),
      variable: fc.option(named(variable)),
      edge: named(anyName),
      undirected: fc.boolean(),
      hops: fc.option(fc.record({ at: fc.constant(at), min: count, max: count })),
      destination: named(variable),
    }),
    tie('expression').filter(isClause),
  ),
}));
const { expression, assignment, clause } = trees;

const parameterName = variable.map((name) => `P${name}`);
const parameterType: fc.Arbitrary<ValueType> = fc.oneof(
  fc.record({
    kind: fc.constant('scalar' as const),
    scalar: fc.constantFrom(...scalars),
    nullable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('list' as const), of: fc.constantFrom(...scalars), nullable: fc.boolean() }),
  fc.record({ kind: fc.constant('vector' as const), dimension: count, nullable: fc.boolean() }),
);

const statement: fc.Arbitrary<MutationStatement> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.constant(at),
    type: typeName,
    assignments: fc.array(assignment, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    at: fc.constant(at),
    type: typeName,
    assignments: fc.array(assignment, { minLength: 1, maxLength: 3 }),
    where: expression,
  }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.constant(at), type: typeName, where: expression }),
);

const annotationValue = fc.oneof(text, fc.integer(), fc.boolean());

const declaration: fc.Arbitrary<QueryDeclaration> = fc.record({
  at: fc.constant(at),
  name: plain,
  explain: fc.boolean(),
  parameters: fc.array(fc.record({ at: fc.constant(at), name: parameterName, type: parameterType }), {
    maxLength: 3,
  }),
  annotations: fc.array(
    fc.record({
      at: fc.constant(at),
      name: plain,
      value: fc.option(annotationValue, { nil: undefined }),
      named: fc.array(fc.record({ name: plain, value: annotationValue }), { maxLength: 2 }),
    }),
    { maxLength: 2 },
  ),
  body: fc.oneof(
    fc.record({
      kind: fc.constant('read' as const),
      match: fc.array(clause, { minLength: 1, maxLength: 4 }),
      projections: fc.array(fc.record({ at: fc.constant(at), expression, alias: fc.option(plain) }), {
        minLength: 1,
        maxLength: 3,
      }),
      order: fc.array(
        fc.record({
          at: fc.constant(at),
          expression,
          direction: fc.option(fc.constantFrom('asc' as const, 'desc' as const)),
        }),
        { maxLength: 3 },
      ),
      limit: fc.option(
        fc.oneof(
          fc.record({ kind: fc.constant('number' as const), text: count.map(String), at: fc.constant(at) }),
          fc.record({ kind: fc.constant('variable' as const), name: variable, at: fc.constant(at) }),
        ),
      ),
    }),
    fc.record({
      kind: fc.constant('mutation' as const),
      statements: fc.array(statement, { minLength: 1, maxLength: 3 }),
    }),
  ),
});

test('whatever is printed is read as the same', () => {
  fc.assert(
    fc.property(fc.array(declaration, { maxLength: 2 }), (queries) => {
      const file: QueryFile = { queries };
      expect(withoutPlaces(parseQueries({ text: printQueries(file) }))).toEqual(withoutPlaces(file));
    }),
    { numRuns: 300, endOnFailure: true },
  );
});

test('a query is laid out as people would', () => {
  const source =
    'query q($x:String?)@mcp(expose:false){match{$p:P{a:1}not{$p knows{1,2} $_}$p.a=1 and($p.b=2 or not $p.c is null)}return{$p $p.a as b}order{b desc}limit 3}';
  expect(printQueries(parseQueries({ text: source }))).toBe(`query q($x: String?) @mcp(expose: false) {
  match {
    $p: P { a: 1 }
    not { $p knows{1,2} $_ }
    $p.a = 1 and ($p.b = 2 or (not $p.c is null))
  }
  return { $p, $p.a as b }
  order { b desc }
  limit 3
}
`);
});
