import { describe, expect, test } from 'vitest';
import { TrellisError } from '../model/error.js';
import { languageLimits } from '../model/limits.js';
import { parseQueries } from './parse-queries.js';
import type { Clause, QueryDeclaration, QueryExpression, ReadBody } from './query-ast.js';

function only(text: string): QueryDeclaration {
  const [query, another] = parseQueries({ text }).queries;
  if (query === undefined || another !== undefined) throw new Error('Not one query.');
  return query;
}

function reading(body: string): ReadBody {
  const query = only(`query q() { ${body} }`);
  if (query.body.kind !== 'read') throw new Error('Not a read.');
  return query.body;
}

function clause(text: string): Clause {
  const [first, second] = reading(`match { ${text} } return { $p }`).match;
  if (first === undefined || second !== undefined) throw new Error('Not one clause.');
  return first;
}

/** The first problem of a text. */
function problem(text: string) {
  try {
    parseQueries({ text });
  } catch (thrown) {
    if (thrown instanceof TrellisError && thrown.code === 'QUERY_INVALID') {
      const problems: unknown = thrown.details?.['problems'];
      return Array.isArray(problems) ? problems[0] : undefined;
    }
    throw thrown;
  }
  return undefined;
}

describe('a file', () => {
  test('may be empty', () => {
    expect(parseQueries({ text: ' // nothing\n/* at all */' }).queries).toEqual([]);
  });

  test('holds queries one after the other', () => {
    const text = 'query a() { match { $p: P } return { $p } } query b() { insert P { } }';
    expect(parseQueries({ text }).queries.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('of anything else is refused, with the word that was meant', () => {
    expect(problem('\n  qery a() { }')).toMatchObject({ line: 2, column: 3, suggestion: 'query' });
  });
});

describe('a query', () => {
  test.each([
    ['String', { kind: 'scalar', scalar: 'String', nullable: false }],
    ['I64?', { kind: 'scalar', scalar: 'I64', nullable: true }],
    ['DateTime', { kind: 'scalar', scalar: 'DateTime', nullable: false }],
    ['[Date] ?', { kind: 'list', of: 'Date', nullable: true }],
    ['Vector( 3 )', { kind: 'vector', dimension: 3, nullable: false }],
  ])('takes a parameter of type %s', (type, expected) => {
    const { parameters } = only(`query q($x: ${type}, $y: Bool) { match { $p: P } return { $p } }`);
    expect(parameters[0]).toMatchObject({ name: 'x', type: expected });
    expect(parameters[1]).toMatchObject({ name: 'y' });
  });

  test.each([
    ['query q($x: Strin) { }', 13, 'String'],
    ['query q($x: [Dat]) { }', 14, 'Date'],
    ['query q($x) { }', 11, undefined],
    ['query q(x: String) { }', 9, undefined],
    ['query q($x: Vector(a)) { }', 20, undefined],
    ['query q($x: enum(a)) { }', 13, undefined],
    ['query Q() { }', 7, undefined],
    ['query q { }', 9, undefined],
  ])('refuses %s', (text, column, suggestion) => {
    expect(problem(text)).toMatchObject({ line: 1, column, ...(suggestion && { suggestion }) });
  });

  test('carries annotations', () => {
    const { annotations } = only(
      'query q() @description("All of them") @mcp(expose: false, tool_name: "x") @x(1 y = z) @flag { insert P { } }',
    );
    expect(annotations).toMatchObject([
      { name: 'description', value: 'All of them', named: [] },
      {
        name: 'mcp',
        named: [
          { name: 'expose', value: false },
          { name: 'tool_name', value: 'x' },
        ],
      },
      { name: 'x', value: 1, named: [{ name: 'y', value: 'z' }] },
      { name: 'flag', named: [] },
    ]);
  });

  test.each([
    ['query q() @ { }', 12],
    ['query q() @d("a" "b") { }', 18],
    ['query q() @d("a { }', 14],
  ])('refuses the annotation of %s', (text, column) => {
    expect(problem(text)).toMatchObject({ line: 1, column });
  });
});

describe('a read', () => {
  test('has a match, a return, and perhaps an order and a limit', () => {
    const body = reading(
      'match { $p: P } return { $p.a as x $p.b, count($p) } order { x desc, $p.b } limit 5',
    );
    expect(body.projections.map(({ alias }) => alias)).toEqual(['x', null, null]);
    expect(body.order.map(({ direction }) => direction)).toEqual(['desc', null]);
    expect(body.limit).toMatchObject({ kind: 'number', text: '5' });
  });

  test.each([
    ['match { } return { $p }', 21],
    ['match { $p: P } return { }', 38],
    ['match { $p: P }', 29],
    ['return { $p }', 13],
    ['match { $p: P } return { $p } limit', 49],
    ['match { $p: P } return { $p } limit "1"', 49],
    ['match { $p: P } return { $p } order { }', 51],
    ['match { $p: P } return { $p } order { $p.a $p.b }', 56],
    ['match { $p: P } return { $p as } ', 44],
  ])('refuses %s', (body, column) => {
    expect(problem(`query q() { ${body} }`)).toMatchObject({ line: 1, column });
  });
});

describe('a binding', () => {
  test('names a variable and its type', () => {
    expect(clause('$p: Person')).toMatchObject({
      kind: 'binding',
      variable: { text: 'p' },
      type: { text: 'Person' },
    });
  });

  test('may ask for properties, with a comma after the last', () => {
    expect(clause('$p: Person { name: "Ann", age: $age, }')).toMatchObject({
      properties: [{ name: 'name' }, { name: 'age' }],
    });
  });

  test('may quote a type that is not written as types are', () => {
    expect(clause('$p: `some \\`odd\\` type` { `first name`: "x" }')).toMatchObject({
      type: { text: 'some `odd` type' },
      properties: [{ name: 'first name' }],
    });
  });

  test('of a type with a small letter is told how to quote it', () => {
    const text = 'query q() { match { $p: person } return { $p } }';
    expect(problem(text)).toMatchObject({
      line: 1,
      column: 25,
      message: 'Types begin with a capital letter; quote any other: `person`.',
    });
  });

  test.each([
    ['$p: ', 26],
    ['$p: P { }', 29],
    ['$p: P { a }', 31],
    ['$: P', 21],
    ['$p: ``', 25],
  ])('%s is refused', (text, column) => {
    expect(problem(`query q() { match { ${text} } return { $p } }`)).toMatchObject({ line: 1, column });
  });
});

describe('a traversal', () => {
  test.each([
    ['$p knows $q', { edge: { text: 'knows' }, hops: null, undirected: false, variable: null }],
    ['$p <knows> $q', { edge: { text: 'knows' }, undirected: true }],
    ['$p knows{1,3} $q', { hops: { min: 1, max: 3 } }],
    ['$p < knows > { 1 , 3 } $q', { undirected: true, hops: { min: 1, max: 3 } }],
    ['$p $w: knows $q', { variable: { text: 'w' } }],
    ['$p knows $_', { destination: { text: '_' } }],
    ['$p `works at` $q', { edge: { text: 'works at' } }],
    ['$p contains{1,1} $q', { edge: { text: 'contains' }, hops: { min: 1, max: 1 } }],
    ['$p $w: in $q', { edge: { text: 'in' } }],
    ['$p `contains` $q', { edge: { text: 'contains' }, hops: null }],
    ['$p contains $q', { edge: { text: 'contains' }, hops: null }],
    ['$p in $_', { edge: { text: 'in' }, destination: { text: '_' } }],
    ['$p is $q', { edge: { text: 'is' } }],
  ])('%s', (text, expected) => {
    expect(clause(text)).toMatchObject({ kind: 'traversal', source: { text: 'p' }, ...expected });
  });

  test('along an edge with a capital letter is told how to write it', () => {
    expect(problem('query q() { match { $p WorksAt $q } return { $p } }')).toMatchObject({
      column: 24,
      message:
        'The name of an edge begins with a small letter here: worksAt. In a graph without a schema, quote it as it is spelled: `WorksAt`.',
    });
  });

  test.each([
    ['$p knows', 30],
    ['$p knows{1} $q', 31],
    ['$p knows{1,} $q', 32],
    ['$p knows{-1,2} $q', 30],
  ])('%s is refused', (text, column) => {
    expect(problem(`query q() { match { ${text} } return { $p } }`)).toMatchObject({ line: 1, column });
  });
});

describe('a predicate', () => {
  const kinds = (predicate: Clause | QueryExpression): unknown => {
    if (predicate.kind === 'and' || predicate.kind === 'or')
      return [predicate.kind, ...predicate.predicates.map(kinds)];
    if (predicate.kind === 'not') return ['not', kinds(predicate.predicate)];
    if (predicate.kind === 'compare') return predicate.operator;
    if (predicate.kind === 'is-null') return predicate.negated ? 'is not null' : 'is null';
    return predicate.kind;
  };

  test.each([
    ['$p.a >= 1', '>='],
    ['$p.a <= 1', '<='],
    ['$p.a != 1', '!='],
    ['$p.a > 1', '>'],
    ['$p.a < 1', '<'],
    ['$p.a = 1', '='],
    ['$p.a contains "x"', 'contains'],
    ['$p.a starts_with "x"', 'starts_with'],
    ['$p.a in [1, 2]', 'in'],
    ['($a contains $b)', 'contains'],
    ['$a contains $b and $c', ['and', 'contains', 'variable']],
    ['$a and $b', ['and', 'variable', 'variable']],
    ['$p.a is null', 'is null'],
    ['$p.a is not null', 'is not null'],
    ['$p.a = 1 and $p.b = 2 or $p.c = 3', ['or', ['and', '=', '='], '=']],
    ['$p.a = 1 and ($p.b = 2 or $p.c = 3)', ['and', '=', ['or', '=', '=']]],
    ['not $p.a = 1 and $p.b > 2', ['and', ['not', '='], '>']],
    ['not not $p.a = 1', '='],
    ['not not not $p.a = 1', ['not', '=']],
    ['not { $p knows $q }', 'block'],
    ['exists { $p knows $q }', 'block'],
    ['not exists { $p knows $q }', ['not', 'block']],
    ['search($p.a, "x")', 'call'],
    ['search($p.a, "x") or fuzzy($p.b, "y", 1)', ['or', 'call', 'call']],
  ])('%s', (text, expected) => {
    expect(kinds(clause(text))).toEqual(expected);
  });

  test.each([
    ['name', 26],
    ['1', 23],
    ['$p.a ==  1', 27],
    ['$p.a = ', 29],
    ['$p.a is nil', 29],
    ['($p.a = 1', 31],
    ['not', 25],
    ['not { }', 27],
    ['$p.a = 1 and', 34],
    ['$p.1 = 1', 24],
  ])('%s is refused', (text, column) => {
    expect(problem(`query q() { match { ${text} } return { $p } }`)).toMatchObject({ line: 1, column });
  });

  test.each(['$a: String, $b: String', '$a: String', '$b: [String]'])(
    'compares two variables of which %s is a parameter',
    (parameters) => {
      const { body } = only(`query q(${parameters}) { match { $a contains $b } return { $p } }`);
      expect(body.kind === 'read' && body.match.map(kinds)).toEqual(['contains']);
    },
  );

  test.each([
    ['$p.a > 1 = $p.b', 30],
    ['$p.a = 1 in [true]', 30],
    ['$p.a is null != $p.b', 34],
    ['($p.a = $p.b = $p.c)', 34],
  ])('%s is told to use parentheses', (text, column) => {
    expect(problem(`query q() { match { ${text} } return { $p } }`)).toMatchObject({
      ...{ line: 1, column },
      message: 'A comparison that is compared needs parentheses: ($p.age > 30) = $adult.',
    });
  });

  test('a name without an operator is told every operator', () => {
    expect(problem('query q() { match { $p: P `a` } return { $p } }')).toMatchObject({
      expected: ['!=', '<', '<=', '=', '>', '>=', 'and', 'contains', 'in', 'is', 'or', 'starts_with'].map(
        (one) => JSON.stringify(one),
      ),
    });
  });
});

describe('an expression', () => {
  const expression = (text: string): QueryExpression => {
    const [projection] = reading(`match { $p: P } return { ${text} }`).projections;
    if (projection === undefined) throw new Error('No expression.');
    return projection.expression;
  };

  test.each([
    ['$p.name', { kind: 'property', variable: 'p', property: 'name' }],
    ['$p.`first name`', { kind: 'property', property: 'first name' }],
    ['$p', { kind: 'variable', name: 'p' }],
    ['total', { kind: 'name', name: 'total' }],
    ['"a\\n\\"b\\u{1F600}"', { kind: 'string', text: 'a\n"b😀' }],
    ['-12.5e3', { kind: 'number', text: '-12.5e3' }],
    ['9223372036854775807', { kind: 'number', text: '9223372036854775807' }],
    ['true', { kind: 'boolean', value: true }],
    ['[1, "x",]', { kind: 'list', items: [{ text: '1' }, { text: 'x' }] }],
    ['date("2026-01-01")', { kind: 'date', text: '2026-01-01' }],
    ['datetime("2026-01-01T00:00:00Z")', { kind: 'datetime' }],
    ['now()', { kind: 'call', name: 'now', arguments: [] }],
    ['count($p)', { kind: 'call', name: 'count' }],
    ['rrf(nearest($p.v, [1]), bm25($p.t, "x"), 10)', { kind: 'call', name: 'rrf' }],
  ])('%s', (text, expected) => {
    expect(expression(text)).toMatchObject(expected);
  });

  test.each([
    ['"open', 38],
    ['[1', 40],
    ['count($p', 46],
    ['"\\u{d800}"', 38],
    ['$p.', 41],
  ])('%s is refused', (text, column) => {
    expect(problem(`query q() { match { $p: P } return { ${text}`)).toMatchObject({ line: 1, column });
  });
});

describe('a mutation', () => {
  const statements = (text: string) => {
    const { body } = only(`query q() { ${text} }`);
    if (body.kind !== 'mutation') throw new Error('Not a mutation.');
    return body.statements;
  };

  test('is made of statements', () => {
    const text =
      'insert P { a: 1 b: null, c: now() } update P set { a: 2 } where b = 1 and from is null delete P where a in [1]';
    expect(statements(text)).toMatchObject([
      { kind: 'insert', type: { text: 'P' }, assignments: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { kind: 'update', assignments: [{ name: 'a' }], where: { kind: 'and' } },
      { kind: 'delete', where: { kind: 'compare', operator: 'in' } },
    ]);
  });

  test.each([
    ['insert P', 22],
    ['insert { a: 1 }', 20],
    ['insert P { a = 1 }', 26],
    ['update P { a: 1 } where a = 1', 22],
    ['update P set { } where a = 1', 28],
    ['update P set { a: 1 }', 35],
    ['delete P', 22],
    ['delete P where', 28],
    ['upsert P { a: 1 }', 13],
    ['match { $p: P } return { $p } insert P { }', 43],
  ])('%s is refused', (text, column) => {
    expect(problem(`query q() { ${text} }`)).toMatchObject({ line: 1, column });
  });
});

describe('a text that means harm', () => {
  const read = (text: string) => `query q() { match { ${text} } return { $p } }`;

  test.each([
    ['parentheses', read(`${'('.repeat(100_000)}$p.a = 1`)],
    ['blocks', read('not { '.repeat(20_000))],
    ['lists', read(`$p.a in ${'['.repeat(100_000)}`)],
    ['calls', read('count('.repeat(30_000))],
    ['parentheses behind a quoted name', read(`$p.\`"\` = 1 ${'('.repeat(100_000)}`)],
  ])('of %s without end is refused', (_, text) => {
    expect(problem(text)).toMatchObject({ code: 'too_deep' });
  });

  test('of negations without end is read', () => {
    expect(problem(read(`${'not '.repeat(50_001)}$p.a = 1`))).toBeUndefined();
  });

  test('that is too long is refused', () => {
    expect(problem(' '.repeat(languageLimits.sourceLength + 1))).toMatchObject({ code: 'too_long' });
  });

  test('of names that objects have from birth is data', () => {
    expect(clause('$__proto__.constructor = "x"')).toMatchObject({
      left: { variable: '__proto__', property: 'constructor' },
    });
  });
});
