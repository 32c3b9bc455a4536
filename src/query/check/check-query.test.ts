import { describe, expect, test } from 'vitest';
import { problemsIn } from '../../../test/query/problems-in.js';
import type { SourceProblem } from '../../language/source-problem.js';
import { queryLimits } from '../../model/limits.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import { parseGraphSchema } from '../../schema/graph/parse-graph-schema.js';
import { checkQueries } from './check-query.js';
import type { CheckedQuery, CheckedRead } from './checked-query.js';

const schema = parseGraphSchema(`
interface Titled { title: String  rank: I32? }
node Recipe implements Titled {
  slug: String @key
  minutes: I32?
  level: enum(easy, medium, hard)
  labels: [String]?
  note: String @index
  taste: Vector(3)? @embed("note")
  shape: Vector(2)?
  photo: Blob?
  ready: Bool?
  served: DateTime?
}
node Menu implements Titled { code: I64 @key  price: F64  valid: Date? }
node Cook { email: String @key  born: Date?  level: enum(junior, senior)?  summary: I32? }
edge Wrote: Recipe -> Cook
edge Tried: Cook -> Recipe { stars: U32  on: DateTime?  remark: String?  @key(src, dst, stars) }
edge Knows: Cook -> Cook
edge Lists: Menu -> Recipe
`);

function checked(text: string, against: GraphSchema | null = schema): CheckedQuery {
  const [query] = checkQueries({ text }, against);
  if (query === undefined) throw new Error('No query.');
  return query;
}

/** The problems of a query, without where they stand and what they say. */
function codes(text: string, against: GraphSchema | null = schema): string[] {
  return problemsIn({ text }, against).map(({ code }) => code);
}

function problem(text: string, against: GraphSchema | null = schema): SourceProblem | undefined {
  return problemsIn({ text }, against)[0];
}

function read(match: string, returned = '$r.slug', tail = '', parameters = ''): string {
  return `query q(${parameters}) { match { ${match} } return { ${returned} } ${tail} }`;
}

const recipe = (predicate: string, parameters = '') =>
  read(`$r: Recipe ${predicate}`, '$r.slug', '', parameters);

function hopsOf(match: string, returned: string): CheckedRead['match']['hops'] {
  const { body } = checked(read(match, returned));
  return body.kind === 'read' ? body.match.hops : [];
}

describe('names', () => {
  test.each([
    [read('$r: Recipy'), 25, 'There is no type Recipy.', 'Recipe'],
    [
      read('$r: Wrote'),
      25,
      'Wrote is an edge: write it between two variables, as in $a $w: wrote $b.',
      undefined,
    ],
    [recipe('$r wrot $c'), 35, 'There is no edge wrot.', 'wrote'],
    [recipe('$r.minuts > 1'), 32, 'Recipe has no property minuts.', 'minutes'],
    [recipe('$s.minutes > 1'), 32, '$s is not defined.', 'r'],
    [
      recipe('not { $r wrote $c } $c.email = "x"'),
      52,
      '$c is known only inside its block; find it here, too.',
      undefined,
    ],
    [recipe('$r.minutes > $most', '$least: I32'), 0, '$most is not defined.', undefined],
    [read('$r: Recipe { slg: "x" }'), 34, 'Recipe has no property slg.', 'slug'],
    [read('$c: Cook $c $t: tried $r $t.star > 1'), 46, 'Tried has no property star.', 'stars'],
    [recipe('lower($r.slug) = "x"'), 32, 'There is no function lower.', undefined],
    [recipe('serch($r.note, "x")'), 32, 'There is no function serch.', 'search'],
    [
      recipe('slug = "x"'),
      32,
      'Unknown name slug. Write $variable.slug for a property or "slug" for a string.',
      undefined,
    ],
    [read('$r: Recipe', '$r.slug as s', 'order { t }'), 0, 'There is no column t.', 's'],
  ])('%s', (text, column, message, suggestion) => {
    expect(problem(text)).toMatchObject({
      line: 1,
      message,
      ...(suggestion && { suggestion }),
      ...(column > 0 && { column }),
    });
  });

  test('a variable that is bound again is the same node, if its types allow it', () => {
    expect(codes(read('$r: Recipe $r: Recipe { level: "easy" }'))).toEqual([]);
    expect(codes(read('$r: Titled $r: Recipe { level: "easy" }'))).toEqual([]);
    expect(codes(recipe('not { $r: Recipe { level: "easy" } }'))).toEqual([]);
    expect(codes(read('$r: Titled  not { $r: Recipe { level: "easy" } }', '$r.title'))).toEqual([]);
    expect(problem(recipe('$r: Cook'))).toMatchObject({
      code: 'type_mismatch',
      message: '$r is Recipe already, so it can never be Cook; give this node another name.',
    });
    expect(codes(recipe('$r $w: wrote $c  $w: Cook'))).toEqual(['bound_twice']);
  });

  test('an edge and a parameter cannot share a name with a variable', () => {
    expect(codes(recipe('$r wrote $c $c $r: tried $x'))).toContain('bound_twice');
    expect(codes(read('$r: Recipe', '$r', '', '$r: String'))).toContain('bound_twice');
  });

  test('a parameter is no variable', () => {
    expect(codes(recipe('$x.slug = "a"', '$x: String'))).toEqual(['not_a_variable']);
    expect(codes(recipe('$r wrote $x', '$x: String'))).toEqual(['not_a_variable']);
  });

  test('$_ matches any node without naming it', () => {
    expect(codes(recipe('$r wrote $_'))).toEqual([]);
    expect(codes(recipe('$_.slug = "a"'))).toEqual(['anonymous']);
    expect(codes(recipe('$r $_: wrote $c'))).toEqual(['anonymous']);
  });

  test('names in a block do not leak out of it', () => {
    expect(codes(read('$r: Recipe not { $r wrote $c }', '$c.email'))).toEqual(['unknown_variable']);
    expect(codes(read('$r: Recipe not { $r wrote $c } exists { $m lists $r  $c tried $r }'))).toEqual([]);
  });

  test('what every node has can be read, unless the type declares it', () => {
    const { body } = checked(
      read('$r: Recipe $c: Cook', '$r.summary, $r.name, $r.tags, $r.observations, $c.summary'),
    );
    expect(body.kind === 'read' && body.columns.map(({ expression }) => expression)).toMatchObject([
      { place: 'row', type: { scalar: 'String', nullable: true } },
      { place: 'row', type: { scalar: 'String', nullable: false } },
      { place: 'row', type: { kind: 'list' } },
      { place: 'row', type: { kind: 'list' } },
      { place: 'props', type: { scalar: 'I32' } },
    ]);
  });

  test('an interface means all its types, and what they have in common', () => {
    const { body } = checked(read('$t: Titled { title: "x" }', '$t.rank'));
    expect(body.kind === 'read' && body.match.nodes).toEqual([{ id: 't', types: ['Recipe', 'Menu'] }]);
    expect(problem(read('$t: Titled', '$t.slug'))).toMatchObject({
      code: 'unknown_property',
      message: 'Recipe or Menu has no property slug that they all have with the same type.',
    });
  });

  test('names that objects have from birth are no names here', () => {
    expect(codes(read('$r: Recipe', '$r.__proto__'))).toEqual(['unknown_property']);
    expect(codes(read('$r: Recipe', '$r.constructor'))).toEqual(['unknown_property']);
    expect(codes(read('$constructor: Recipe', '$toString.slug'))).toEqual(['unknown_variable']);
  });

  test('a column that is wrong is told once, not again where rows are ordered by it', () => {
    expect(codes(read('$r: Recipe', '$r.nothing as x', 'order { x }'))).toEqual(['unknown_property']);
  });

  test('all problems are told at once', () => {
    expect(codes(read('$r: Recipy $r wrot $c $c.x = 1 $d.y = 2', '$e'))).toEqual([
      'unknown_type',
      'unknown_edge',
      'unknown_variable',
      'unknown_variable',
    ]);
  });
});

describe('traversals', () => {
  test.each([
    ['$r: Recipe $r wrote $c', '$c.email', 'r', 'c', 'out'],
    ['$c: Cook $r wrote $c', '$r.slug', 'r', 'c', 'out'],
    ['$c: Cook $c wrote $r', '$r.slug', 'c', 'r', 'in'],
    ['$r: Recipe $r tried $c', '$c.email', 'r', 'c', 'in'],
    ['$a knows $b', '$a, $b', 'a', 'b', 'out'],
    ['$a <knows> $b', '$a, $b', 'a', 'b', 'both'],
    ['$a KNOWS{1,2} $b', '$a, $b', 'a', 'b', 'out'],
    ['$t: Titled $t wrote $c', '$c, $t.note', 't', 'c', 'out'],
  ])('%s', (match, returned, from, to, direction) => {
    const written = match.replace('KNOWS', 'kNOWS');
    expect(hopsOf(written, returned)).toMatchObject([{ from, to, direction }]);
  });

  test('what one says of its ends makes others clear, whatever their order', () => {
    const expected = { from: 'b', to: 'a', edge: 'Tried', direction: 'in' };
    expect(hopsOf('$b tried $a  $a knows $c', '$b.slug, $c')).toMatchObject([expected, { edge: 'Knows' }]);
    expect(hopsOf('$a knows $c  $b tried $a', '$b.slug, $c')).toMatchObject([{ edge: 'Knows' }, expected]);
  });

  test.each([
    [recipe('$r knows $c'), 'edge_mismatch'],
    [recipe('$r <wrote> $c'), 'directed_edge'],
    [read('$a knows{0,2} $b', '$a'), 'out_of_range'],
    [read('$a knows{3,2} $b', '$a'), 'out_of_range'],
    [read(`$a knows{1,${queryLimits.hops + 1}} $b`, '$a'), 'out_of_range'],
    [read('$a $k: knows{1,2} $b', '$a'), 'single_hop'],
    [read('$a $k: knows $b $k knows $a', '$a'), 'not_a_node'],
  ])('%s is refused', (text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  test('a mismatch names what the edge joins', () => {
    expect(problem(recipe('$r knows $c'))).toMatchObject({
      column: 35,
      message: 'Knows leads from Cook to Cook, but $r is Recipe and $c is any type.',
      expected: ['Cook -> Cook'],
    });
  });

  test('a variable of an edge has its properties and its ends', () => {
    expect(codes(read('$c: Cook $c $t: tried $r $t.stars > 3 $t.from = "x"', '$t.on, $t'))).toEqual([]);
  });
});

describe('operators', () => {
  test.each([
    '$r.minutes > 5',
    '$r.minutes > 2.5',
    '5 < $r.minutes',
    '$r.minutes = $x',
    '$r.level = "easy"',
    '$r.level != $text',
    '$r.level in ["easy", "hard"]',
    '$r.level in $texts',
    '$r.labels contains "x"',
    '$r.labels contains $text',
    '$r.note contains "x"',
    '$r.note starts_with $text',
    '$r.slug in $texts',
    '$r.minutes in [1, 2]',
    '"x" in $r.labels',
    '$r.served < now()',
    '$r.served = datetime("2026-01-01T00:00:00+02:00")',
    '$r.ready = true',
    '$r.ready is not null',
    '$x is null',
    '$r.observations contains "x"',
    'search($r.note, "x")',
    'search($r.observations, $text)',
    'match_text($r.slug, "x y")',
    'fuzzy($r.note, "x", 2)',
    'fuzzy($r.note, "x", $x)',
    'not (search($r.note, "x") or $r.minutes is null)',
    '$r.note > "a" and $r.note <= "b"',
    '$r.photo = $blob',
  ])('%s', (predicate) => {
    expect(codes(recipe(predicate, '$x: I32, $text: String?, $texts: [String], $blob: Blob'))).toEqual([]);
  });

  test.each([
    ['$r.minutes > "x"', 45, 'Expected I32, but found "x".', ['I32']],
    ['$r.minutes = true', 45, 'Expected I32, but found true.', ['I32']],
    ['$r.minutes > $text', 45, 'Expected I32, but this is String.', ['I32']],
    [
      '$r.minutes = 3000000000',
      45,
      'The value must be I32, but is the number 3000000000: it must be in -2147483648..2147483647.',
      ['I32'],
    ],
    ['$r.level = "eazy"', 43, '"eazy" is not one of easy, medium, hard.', ['easy', 'medium', 'hard']],
    [
      '$r.level in ["easy", "hrd"]',
      53,
      '"hrd" is not one of easy, medium, hard.',
      ['easy', 'medium', 'hard'],
    ],
    [
      '$r.level > "easy"',
      32,
      'Values of enum(easy, medium, hard) have no order; compare them with = or !=.',
      undefined,
    ],
    ['$r.ready > true', 32, 'Values of Bool have no order; compare them with = or !=.', undefined],
    ['$r.labels = "x"', 32, 'Use contains to search a list, not =.', undefined],
    ['$r.labels contains 1', 51, 'Expected String, but found 1.', ['String']],
    ['$r.note contains 1', 49, 'contains takes String, but this is I64.', ['String']],
    ['$r.minutes contains 1', 32, 'contains takes String or a list, but this is I32.', ['String', 'a list']],
    ['$r.minutes starts_with "x"', 32, 'starts_with takes String, but this is I32.', ['String']],
    ['$r.minutes in 5', 46, 'Expected a list, but this is I64.', ['a list']],
    ['$r.minutes in $texts', 32, 'Expected String, but this is I32.', ['String']],
    ['$r.minutes in [1, "x"]', 46, 'Expected [I32], but found [1, "x"].', ['[I32]']],
    [
      '$r.labels in ["x"]',
      45,
      'The left side of in must be a single value; use contains for lists.',
      undefined,
    ],
    ['$r.taste = [1, 2, 3]', 32, 'A vector is ranked with nearest(…), not compared with =.', undefined],
    ['$r.served > date("2026-01-01")', 44, 'Expected DateTime, but found date("2026-01-01").', ['DateTime']],
    [
      '$r.served > "2026-01-01"',
      44,
      'Expected DateTime, but found "2026-01-01". Write datetime("2026-01-01").',
      ['DateTime'],
    ],
    [
      '$r.served > datetime("2026-02-30T00:00:00Z")',
      44,
      'The value must be DateTime, but is the string "2026-02-30T00:00:00Z": this time does not exist.',
      ['DateTime'],
    ],
    [
      '$r.minutes = null',
      45,
      'A comparison with null is never true; use "is null" or "is not null".',
      undefined,
    ],
    ['$r = "x"', 32, '$r is a node; compare one of its properties, such as $r.title.', undefined],
    [
      '$r.minutes = count($r)',
      45,
      'count(…) is not allowed here; return it, or use a block: count { … }.',
      undefined,
    ],
    [
      'max($r.minutes) > 3',
      32,
      'max(…) is not allowed here; return it, or use a block: max($x.p) { … }.',
      undefined,
    ],
    ['nearest($r.taste, [1]) > 3', 32, 'nearest(…) is not allowed here; use a value.', undefined],
    ['date(1) = $r.served', 32, 'date takes one text: date("2026-01-31").', undefined],
    ['5 is null', 32, 'Only a property or a parameter can be null.', undefined],
    ['now()', 32, 'now() is DateTime, but a condition is Bool; compare it with something.', undefined],
    [
      'search($r.minutes, "x")',
      39,
      'search looks at a String or at the observations of a node, but minutes is I32?.',
      ['String'],
    ],
    ['search($r, "x")', 39, 'The first argument of search is a property: $variable.name.', ['a property']],
    ['search($r.note)', 32, 'search takes 2 arguments, but has 1.', undefined],
    ['search($r.note, $r.slug)', 48, 'The text of search must be a value or a parameter.', undefined],
    ['search($r.note, 5)', 48, 'Expected String, but found 5.', ['String']],
    ['fuzzy($r.note, "x", 9)', 52, 'The edits of fuzzy must lie in 0..3.', undefined],
    ['1 = "x"', 32, 'Expected String, but found 1.', ['String']],
  ])('%s is refused', (predicate, column, message, expected) => {
    const found = problemsIn({ text: recipe(predicate, '') }, schema);
    const withParameters = problemsIn({ text: recipe(predicate, '$text: String, $texts: [String]') }, schema);
    const shift = '$text: String, $texts: [String]'.length;
    const uses = /\$texts?\b/.test(predicate);
    expect(uses ? withParameters : found).toEqual([
      expect.objectContaining({
        line: 1,
        column: uses ? column + shift : column,
        message,
        ...(expected && { expected }),
      }),
    ]);
  });

  test('the nearest value of an enum is suggested', () => {
    expect(problem(recipe('$r.level = "eazy"'))).toMatchObject({ suggestion: 'easy' });
  });

  test('whole nodes are the same or not', () => {
    expect(codes(read('$a knows $b $a != $b', '$a'))).toEqual([]);
    expect(codes(read('$r: Recipe $c: Cook $r = $c', '$r'))).toEqual(['type_mismatch']);
    expect(codes(read('$a knows $b $a < $b', '$a'))).toEqual(['bad_operator']);
  });

  test('enums are compared with enums that share a value', () => {
    expect(codes(read('$r: Recipe $c: Cook $r.level = $c.level', '$r'))).toEqual(['type_mismatch']);
  });

  test('a list in a binding is asked for an item', () => {
    const { body } = checked(read('$r: Recipe { labels: "x" }'));
    expect(body.kind === 'read' && body.match.conditions).toMatchObject([{ operator: 'contains' }]);
    expect(codes(read('$r: Recipe { labels: ["x"] }'))).toEqual(['type_mismatch']);
    expect(codes(read('$r: Recipe { slug: "x", slug: "y" }'))).toEqual(['named_twice']);
  });
});

describe('blocks', () => {
  test('not { } must mention something outside', () => {
    expect(problem(recipe('not { $c: Cook }'))).toMatchObject({ code: 'not_correlated', column: 32 });
    expect(codes(recipe('not { $r wrote $_ }'))).toEqual([]);
    expect(codes(recipe('not { $c: Cook { email: $r.slug } }'))).toEqual([]);
  });

  test('an inner block of an inner block speaks for it', () => {
    expect(codes(recipe('not { $c: Cook not { $r wrote $c } }'))).toEqual([]);
  });

  test('exists { } may be about anything', () => {
    expect(codes(recipe('exists { $c: Cook }'))).toEqual([]);
  });

  test('variables of inner blocks have ids of their own', () => {
    const { body } = checked(
      recipe('not { $r wrote $c $c.born is null } not { $c tried $r $c.born is null }'),
    );
    const ids = body.kind === 'read' ? JSON.stringify(body.match.conditions).match(/"id":"\w+"/g) : [];
    expect(ids).toEqual(['"id":"c"', '"id":"c_2"']);
  });
});

describe('conditions and values', () => {
  test.each([
    [recipe('$r.minutes'), 32, '$r.minutes is I32, but a condition is Bool; compare it with something.'],
    [
      recipe('$r.ready and $r.level'),
      45,
      '$r.level is enum(easy, medium, hard), but a condition is Bool; compare it with something.',
    ],
    [recipe('not $r'), 36, '$r is a node, not a condition; use one of its properties, as in $r.name = "…".'],
    [
      recipe('count { $r wrote $_ }'),
      32,
      'count { $r wrote $_ } is I64, but a condition is Bool; compare it with something.',
    ],
    [recipe('sum($c.born) { $r wrote $c } > 1'), 36, 'sum takes a number, but this is Date?.'],
    [recipe('max($c) { $r wrote $c } > 1'), 36, 'max takes a property; to count matches, write count { … }.'],
    [recipe('count { $r wrote $c } = "two"'), 56, 'Expected I64, but found "two".'],
    [recipe('$r.minutes = ($r.minutes > 3)'), 46, 'Expected I32, but this is Bool.'],
    [recipe('($r.ready) < ($r.minutes > 3)'), 33, 'Values of Bool have no order; compare them with = or !=.'],
    [recipe('$r.@src = "x"'), 32, 'A node has no @src; it has @id.'],
    [recipe('@id = "x"'), 32, 'Write $variable.@id; only the where of a mutation has @id.'],
    [
      recipe('count { count { count { count { $r wrote $_ } > 0 } > 0 } > 0 } > 0'),
      56,
      'Aggregate blocks are nested at most 3 deep.',
    ],
    [
      read('$r: Recipe', '$r.slug', 'limit $n'),
      0,
      'A limit is a number or a parameter, and $n is none; declare it: $n: I32.',
    ],
    [read('$r: Recipe', '$r.slug', 'limit -1'), 0, 'A limit is a whole number from 1 to 10000.'],
    [read('$r: Recipe', '$r.slug', 'limit 1e3'), 0, 'A limit is a whole number from 1 to 10000.'],
    [read('$r: Recipe', '$r.slug', 'limit 1.5'), 0, 'A limit is a whole number from 1 to 10000.'],
    [read('$r: Recipe', '$r.slug', 'order { null }'), 0, 'null is the same for every row; use a property.'],
    [read('$r: Recipe', 'null as x'), 0, 'null is the same for every row; use a property.'],
    [
      recipe('count { $r wrote $c } > 99999999999999999999'),
      0,
      'The value must be I64, but is the number 99999999999999999999: it must be in -9223372036854775808..9223372036854775807.',
    ],
    [
      recipe('99999999999999999999 in [99999999999999999999, 1]'),
      0,
      expect.stringContaining('item 0 is the number 99999999999999999999: it must be in 0..'),
    ],
    [read('$r: Recipe', '$r.slug', 'limit $n', '$n: String'), 0, 'A limit must be I64, but $n is String.'],
    [
      'query q() { delete Recipe where false = false }',
      33,
      'This where does not depend on the row, so it would delete all or nothing; use a property of Recipe.',
    ],
    [
      'query q() { delete Recipe where count { $r: Recipe } > 1 and slug = "x" }',
      33,
      'The where clause of a mutation can only use properties of the row.',
    ],
    ['explain query q() { delete Recipe where slug = "x" }', 15, 'Only a read has a plan; remove explain.'],
  ])('%s', (text, column, message) => {
    expect(problem(text)).toMatchObject({ line: 1, message, ...(column > 0 && { column }) });
  });

  test('a text is compared with vectors of one model only', () => {
    const models = parseGraphSchema(`
      interface Noted { taste: Vector(3)? @embed("note")  note: String }
      node Soup implements Noted { slug: String @key  taste: Vector(3)? @embed("note", model="a") }
      node Cake implements Noted { slug: String @key  taste: Vector(3)? @embed("note", model = "b") }`);
    const ranked = (type: string, to: string) =>
      read(`$r: ${type}`, '$r.note', `order { nearest($r.taste, ${to}) } limit 3`);
    expect(codes(ranked('Soup', '"warm"'), models)).toEqual([]);
    expect(codes(ranked('Noted', '[1, 0, 0]'), models)).toEqual([]);
    expect(problem(ranked('Noted', '"warm"'), models)).toMatchObject({
      code: 'several_models',
      message:
        'The vectors of taste come from different models (a, b), so one text cannot be compared with all of them; bind $r to one type, or give nearest a vector.',
    });
    const { body } = checked(ranked('Cake', '"warm"'), models);
    expect(body.kind === 'read' && body.order[0]?.expression).toMatchObject({ kind: 'nearest', model: 'b' });
  });

  test('what a block binds does not leak out of it', () => {
    expect(codes(recipe('count { $r wrote $c } > 1  $c.email = "x"'))).toEqual(['unknown_variable']);
    expect(codes(recipe('sum($c.summary) { $r wrote $c } > 1'))).toEqual([]);
  });
});

describe('columns', () => {
  test('have the name of their expression, or their own', () => {
    const { body } = checked(
      read(
        '$r: Recipe $r wrote $c',
        '$r.slug, $r, count($r.minutes) as n, sum($r.minutes), count($c), 1, now()',
      ),
    );
    expect(body.kind === 'read' && body.columns.map(({ name }) => name)).toEqual([
      'r.slug',
      'r',
      'n',
      'r.minutes',
      'c',
      '1',
      'now()',
    ]);
  });

  describe('trust 4: the fields of a stamp', () => {
    const stamped = parseGraphSchema(`
      interface Named { name: String }
      node Person implements Named { email: String @key }
      node Report implements Named { slug: String @key  source: String?  confidence: I32? }
      edge Cites: Report -> Report { source: I32? }
    `);
    const typeOf = (match: string, returned: string, against: GraphSchema | null = stamped) => {
      const { body } = checked(read(match, returned), against);
      const expression = body.kind === 'read' ? body.columns[0]?.expression : undefined;
      return expression?.kind === 'property' ? [expression.place, expression.type] : undefined;
    };

    test('have types, unless a property of the name is declared', () => {
      expect(typeOf('$p: Person', '$p.confidence')).toMatchObject(['provenance', { scalar: 'F64' }]);
      expect(typeOf('$p: Person', '$p.last_updated')).toMatchObject(['provenance', { scalar: 'DateTime' }]);
      expect(typeOf('$r: Report', '$r.confidence')).toMatchObject(['props', { scalar: 'I32' }]);
      expect(typeOf('$r: Report', '$r._schema_remap_from')).toMatchObject(['provenance', {}]);
      expect(typeOf('$r: Report  $r $c: cites $s', '$c.source')).toMatchObject(['props', { scalar: 'I32' }]);
      expect(typeOf('$r: Report  $r $c: cites $s', '$c.confidence')).toMatchObject(['provenance', {}]);
      expect(typeOf('$p: Person', '$p.source', null)).toEqual(['provenance', null]);
      expect(typeOf('$p: Person', '$p.age', null)).toEqual(['props', null]);
    });

    test('are checked like properties', () => {
      expect(codes(read('$p: Person  $p.confidence = "high"', '$p.email'), stamped)).toEqual([
        'type_mismatch',
      ]);
      expect(problem(read('$p: Person', '$p.confidense'), stamped)).toMatchObject({
        ...{ code: 'unknown_property', suggestion: 'confidence' },
      });
      expect(codes(read('$n: Named', '$n.source'), stamped)).toEqual(['unknown_property']);
      expect(codes(read('$n: Named', '$n.extraction_method'), stamped)).toEqual([]);
      expect(codes('query q() { update Person set { source: "x" } where email = "a" }', stamped)).toEqual([
        'unknown_property',
      ]);
    });

    test('are shown of a whole node, but for those that are declared', () => {
      const { body } = checked(read('$r: Report', '$r'), stamped);
      expect(body.kind === 'read' && body.columns[0]?.expression).toMatchObject({
        stamped: [
          'extraction_method',
          'write_gate_version',
          'last_updated',
          '_schema_remap_from',
          'derived_from',
        ],
      });
    });
  });

  test('a whole node hides blobs and vectors', () => {
    const { body } = checked(read('$r: Recipe', '$r'));
    expect(body.kind === 'read' && body.columns[0]?.expression).toMatchObject({
      hidden: ['taste', 'shape', 'photo'],
    });
  });

  test.each([
    [read('$r: Recipe', '$r.slug, $r.slug'), 'duplicate_column'],
    [read('$r: Recipe', '$r.slug as x, $r.note as x'), 'duplicate_column'],
    [read('$r: Recipe', 'sum($r.note)'), 'type_mismatch'],
    [read('$r: Recipe', '$r.slug, max($r.slug)'), 'duplicate_column'],
    [read('$r: Recipe', 'max($r.level)'), 'type_mismatch'],
    [read('$r: Recipe', 'max($r)'), 'type_mismatch'],
    [read('$r: Recipe', 'count(count($r))'), 'misplaced'],
    [read('$r: Recipe', 'count()'), 'bad_arguments'],
    [read('$r: Recipe', 'bm25($r.note, "x")'), 'misplaced'],
    [read('$r: Recipe', '[1, "x"]'), 'type_mismatch'],
    ['query q() { match { 1 = 1 } return { 1 } }', 'no_variable'],
    [read('$r: Recipe', '$r', `limit 0`), 'out_of_range'],
    [read('$r: Recipe', '$r', `limit ${queryLimits.rows + 1}`), 'out_of_range'],
  ])('%s is refused', (text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  test('a score is returned if it is the order', () => {
    expect(codes(read('$r: Recipe', 'bm25($r.note, "x") as s', 'order { s }'))).toEqual([]);
    expect(codes(read('$r: Recipe', 'bm25($r.note, "x") as s', 'order { bm25($r.note, "x") }'))).toEqual([]);
    expect(codes(read('$r: Recipe', 'bm25($r.note, "x") as s', 'order { bm25($r.note, "y") }'))).toEqual([
      'misplaced',
    ]);
  });
});

describe('order', () => {
  test.each([
    ['$r.slug', 'order { $r.minutes desc, $r.slug }'],
    ['$r.slug as s', 'order { s }'],
    ['$r.level, count($r) as n', 'order { n desc, $r.level }'],
    ['count($r)', 'order { count($r) }'],
    ['$r', 'order { nearest($r.taste, [1, 2, 3]) } limit 3'],
    ['$r', 'order { nearest($r.taste, "sweet"), $r.slug } limit 3'],
    ['$r', 'order { bm25($r.observations, "sweet") desc }'],
    ['$r', 'order { rrf(nearest($r.taste, "sweet"), bm25($r.note, "sweet"), 10) } limit 3'],
  ])('%s %s', (returned, tail) => {
    expect(codes(read('$r: Recipe', returned, tail))).toEqual([]);
  });

  test.each([
    ['$r', 'order { $r }', 'no_order'],
    ['$r', 'order { $r.labels }', 'no_order'],
    ['count($r)', 'order { $r.level }', 'not_returned'],
    ['$r', 'order { count($r) }', 'not_returned'],
    ['$r', 'order { nearest($r.taste, "x") }', 'limit_needed'],
    ['$r', 'order { rrf(bm25($r.note, "x"), bm25($r.slug, "x")) }', 'limit_needed'],
    ['$r', 'order { $r.slug, bm25($r.note, "x") }', 'misplaced'],
    ['$r', 'order { nearest($r.taste, "x") desc } limit 1', 'worst_first'],
    ['$r', 'order { nearest($r.taste, [1, 2]) } limit 1', 'bad_value'],
    ['$r', 'order { nearest($r.shape, "x") } limit 1', 'not_embedded'],
    ['$r', 'order { nearest($r.note, "x") } limit 1', 'type_mismatch'],
    ['$r', 'order { rrf(bm25($r.note, "x"), $r.slug) } limit 1', 'bad_arguments'],
    ['$r', 'order { rrf(bm25($r.note, "x"), bm25($r.note, "y"), 0) } limit 1', 'out_of_range'],
    ['$r.level, count($r), bm25($r.note, "x")', 'order { bm25($r.note, "x") }', 'misplaced'],
  ])('%s %s is refused', (returned, tail, code) => {
    expect(codes(read('$r: Recipe', returned, tail))).toContain(code);
  });

  test('a vector parameter has the dimension of the property', () => {
    const tail = 'order { nearest($r.taste, $v) } limit 1';
    expect(codes(read('$r: Recipe', '$r', tail, '$v: Vector(3)'))).toEqual([]);
    expect(codes(read('$r: Recipe', '$r', tail, '$v: Vector(2)'))).toEqual(['type_mismatch']);
    expect(codes(read('$r: Recipe', '$r', tail, '$v: Vector(3)?'))).toEqual(['type_mismatch']);
    expect(codes(read('$r: Recipe', '$r', tail, '$v: String'))).toEqual([]);
  });
});

describe('mutations', () => {
  const mutation = (text: string, parameters = '') => `query q(${parameters}) { ${text} }`;

  test.each([
    'insert Cook { email: "x" }',
    'insert Cook { email: $e, born: date("2000-01-01"), level: "junior", summary: 1 }',
    'insert Recipe { slug: "x", title: "X", level: "easy", note: "n", labels: ["a"], taste: [1, 2, 3], minutes: null }',
    'insert Tried { from: "a", to: $e, stars: 5, on: now() }',
    'insert Lists { from: 12, to: "x" }',
    'update Recipe set { minutes: null, note: "y" } where level = "easy" and not slug in ["a"]',
    'update Tried set { remark: "x" } where from = $e and stars > 3',
    'delete Recipe where search(note, "x") or labels contains "y"',
    'delete tried where to = "x"'.replace('tried', 'Tried'),
    'delete Cook where name starts_with "a"',
  ])('%s', (text) => {
    expect(codes(mutation(text, '$e: String'))).toEqual([]);
  });

  test.each([
    ['insert Cok { email: "x" }', 'unknown_type', 'There is no node or edge of type Cok.'],
    [
      'insert Titled { title: "x" }',
      'unknown_type',
      'Titled is an interface; a mutation needs a node or edge type.',
    ],
    ['insert Cook { }', 'missing_property', 'An insert of Cook needs email.'],
    ['insert Recipe { slug: "x" }', 'missing_property', 'An insert of Recipe needs title, level, note.'],
    ['insert Cook { email: null }', 'missing_property', 'An insert of Cook needs email.'],
    ['insert Cook { email: "x", age: 5 }', 'unknown_property', 'Cook has no property age.'],
    ['insert Cook { email: "x", email: "y" }', 'named_twice', 'email is given twice.'],
    ['insert Cook { email: 5 }', 'type_mismatch', 'Expected String, but found 5.'],
    ['insert Cook { email: $n }', 'type_mismatch', 'Cook.email must not be null, but $n may be.'],
    ['insert Cook { email: "x", born: $n }', 'type_mismatch', 'Cook.born must be Date?, but $n is String?.'],
    ['insert Cook { email: "x", observations: ["y"] }', 'not_settable', undefined],
    ['insert Cook { email: "x", level: "boss" }', 'bad_value', '"boss" is not one of junior, senior.'],
    ['insert Tried { from: "a", stars: 5 }', 'missing_property', 'An edge needs from and to; to is missing.'],
    ['insert Tried { from: "a", to: "b" }', 'missing_property', 'An insert of Tried needs stars.'],
    ['insert Tried { from: "a", to: "b", stars: -1 }', 'bad_value', undefined],
    [
      'delete Recipe where minutes > 99999999999999999999',
      'bad_value',
      'The value must be I32, but is the number 100000000000000000000: it must be in -2147483648..2147483647.',
    ],
    ['insert Tried { from: 5, to: "b", stars: 1 }', 'type_mismatch', 'Expected String, but found 5.'],
    ['update Recipe set { slug: "y" } where slug = "x"', 'key_changed', undefined],
    ['update Tried set { stars: 1 } where from = "x"', 'key_changed', undefined],
    ['update Tried set { to: "y" } where from = "x"', 'not_settable', undefined],
    [
      'update Recipe set { note: null } where slug = "x"',
      'missing_property',
      'Recipe.note is required; it cannot be null.',
    ],
    [
      'update Recipe set { note: slug } where slug = "x"',
      'unknown_name',
      'Recipe.note is set to a value or a parameter, not to a property; a text is written "slug".',
    ],
    [
      'update Recipe set { minutes: $n = "x" } where slug = "x"',
      'type_mismatch',
      'Recipe.minutes must be I32?, but $n = "x" is Bool?.',
    ],
    [
      'update Recipe set { note: minutes > 3 } where slug = "x"',
      'not_a_constant',
      'minutes cannot be used in a value to set, which consists of literals and parameters; read it first, and pass it as a parameter.',
    ],
    [
      'insert Recipe { slug: "x", note: not { $r: Recipe } }',
      'not_a_constant',
      'A block cannot be used in a value to set, which consists of literals and parameters; read it first, and pass it as a parameter.',
    ],
    ['insert Recipe { slug: "x", note: @id = "y" }', 'not_a_constant', undefined],
    ['insert Recipe { slug: "x", note: search(note, "y") }', 'not_a_constant', undefined],
    ['insert Recipe { slug: "x", note: $n > 3 }', 'type_mismatch', 'Expected String, but found 3.'],
    ['delete Recipe where slg = "x"', 'unknown_property', 'Recipe has no property slg.'],
    ['delete Recipe where $r.slug = "x"', 'unknown_variable', undefined],
    ['delete Recipe where not { $r: Recipe }', 'misplaced', undefined],
    ['delete Recipe where minutes = "x"', 'type_mismatch', 'Expected I32, but found "x".'],
  ])('%s is refused', (text, code, message) => {
    const found = problemsIn({ text: mutation(text, '$n: String?') }, schema);
    expect(found).toContainEqual(expect.objectContaining({ code, ...(message && { message }) }));
  });

  test('a bare name is a property of the row', () => {
    const { body } = checked(mutation('delete Tried where from = "x" and stars > 3'));
    expect(body.kind === 'mutation' && body.statements).toMatchObject([
      {
        kind: 'delete',
        of: 'edge',
        type: 'Tried',
        variable: 'row',
        block: {
          nodes: [
            { id: 'from', types: ['Cook'] },
            { id: 'to', types: ['Recipe'] },
          ],
          hops: [{ from: 'from', to: 'to', edge: 'Tried', direction: 'out', variable: 'row' }],
        },
      },
    ]);
  });

  test('an insert on a wider type takes a narrower parameter, not the other way round', () => {
    const insert = 'insert Menu { code: $c, title: "x", price: 1.5 }';
    expect(codes(mutation(insert, '$c: I32'))).toEqual([]);
    expect(codes(mutation(insert, '$c: U64'))).toEqual(['type_mismatch']);
    expect(codes(mutation(insert, '$c: F64'))).toEqual(['type_mismatch']);
  });
});

describe('a graph without a schema', () => {
  test.each([
    read('$p: Anything { x: 1 }', '$p.y'),
    read('$p: `some type` $p `works at` $q', '$p.`first name`, $q'),
    read('$p <knows>{1,3} $q $p.age > 3 $p.tags contains "x"', '$p.name', 'order { $p.age }'),
    'query q() { insert Person { name: "Ann", age: 5 } insert Knows { from: "Ann", to: "Bob", since: 2020 } }',
    'query q() { update Person set { age: 6 } where name = "Ann" delete Knows where from = "Ann" }',
    read('$p: P', '$p', 'order { nearest($p.v, [1, 2]) } limit 2'),
    read('$p: P $p.x in [1, 18446744073709551615] $p.y in [-1, 2, 0.5]', '$p'),
  ])('%s', (text) => {
    expect(codes(text, null)).toEqual([]);
  });

  test.each([
    [read('$p: P $q.x = 1', '$p'), 'unknown_variable'],
    [read('$p: P $p.name > 5', '$p'), 'type_mismatch'],
    ['query q() { insert Person { age: 5 } }', 'missing_property'],
    ['query q() { update Person set { name: "x" } where age = 5 }', 'not_settable'],
    [read('$p: P', '$p', 'order { nearest($p.v, "x") } limit 2'), 'not_embedded'],
    [read('$p: P $p.x in [-1, 18446744073709551615]', '$p'), 'bad_value'],
    [read('$p: P $p.x in [1, "1"]', '$p'), 'type_mismatch'],
  ])('%s is refused', (text, code) => {
    expect(codes(text, null)).toContain(code);
  });

  test('what names its ends is an edge', () => {
    const { body } = checked(
      'query q() { delete Knows where from = "Ann" delete Knows where age = 1 }',
      null,
    );
    expect(body.kind === 'mutation' && body.statements).toMatchObject([{ of: 'edge' }, { of: 'node' }]);
  });

  test('edges are spelled as they were written', () => {
    const { body } = checked(read('$p `KNOWS` $q', '$p, $q'), null);
    expect(body.kind === 'read' && body.match.hops).toMatchObject([{ edge: 'KNOWS' }]);
  });
});

describe('warnings', () => {
  test.each([
    [read('$r: Recipe', '$r', '', '$x: I32'), 'unused_parameter', 'The parameter $x is never used.'],
    [
      read('$r: Recipe $r wrote $c', '$r'),
      'unused_variable',
      '$c is never used; write $_ where no name is needed.',
    ],
    [
      read('$r: Recipe $c: Cook', '$r, $c'),
      'cross_join',
      '$c is not connected to $r, so every pair is returned (cross join).',
    ],
    [
      read('$r wrote{1,3} $c', '$r, $c'),
      'one_hop_only',
      'Wrote leads from Recipe to Cook, so no second hop follows the first.',
    ],
  ])('%s', (text, code, message) => {
    expect(checked(text).warnings).toEqual([expect.objectContaining({ code, message, line: 1 })]);
  });

  test.each([
    read('$r: Recipe $c: Cook $r.slug = $c.email', '$r, $c'),
    read('$r: Recipe $c: Cook { email: $r.slug }', '$r, $c'),
    read('$r: Recipe $c: Cook not { $r wrote $c }', '$r, $c'),
    read('$c: Cook $c $t: tried $r', '$r, $c'),
  ])('none of %s', (text) => {
    expect(checked(text).warnings).toEqual([]);
  });
});

describe('bounds', () => {
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join(' ');

  test.each([
    [
      read(
        many(10_000, (i) => `$v${i}: Recipe`),
        '1',
      ),
      'variables',
    ],
    [
      read(
        many(10_000, () => '$_ knows $_'),
        '1',
      ),
      'anonymous variables',
    ],
    [recipe(many(10_000, () => '$r.slug = "x"')), 'predicates'],
    [recipe(many(8_000, () => '$r wrote $c')), 'traversals'],
    [
      read(
        '$r: Recipe',
        many(8_000, (i) => `$r.slug as c${i}`),
      ),
      'columns',
    ],
    [read('$r: Recipe', '$r.slug', `order { ${Array(8_000).fill('$r.slug').join(', ')} }`), 'order keys'],
    [
      read('$r: Recipe', '$r', '', Array.from({ length: 5_000 }, (_, i) => `$p${i}: I32`).join(', ')),
      'parameters',
    ],
    [`query q() { ${many(8_000, () => 'insert Cook { email: "x" }')} }`, 'statements'],
  ])('%# too many are refused', (text) => {
    expect(codes(text)).toContain('too_large');
  });

  test('each statement of a mutation has conditions of its own', () => {
    expect(
      codes(
        `query q() { ${many(queryLimits.statements, () => 'delete Cook where email = "x" and born is null')} }`,
      ),
    ).toEqual([]);
  });

  test('neither a parameter nor a column is named __proto__', () => {
    expect(codes(read('$r: Recipe', '$r.slug as __proto__'))).toEqual(['reserved_name']);
    expect(codes(read('$r: Recipe  $r.slug = $__proto__', '$r.slug', '', '$__proto__: String'))).toEqual([
      'reserved_name',
    ]);
  });

  test('two queries of one name are refused', () => {
    expect(codes(`${read('$r: Recipe')} ${read('$r: Recipe')}`)).toEqual(['duplicate_query']);
  });

  test.each([
    '@description',
    '@description(5)',
    '@mcp',
    '@mcp(expose: "x")',
    '@mcp(tool_name: "a b")',
    '@mcp(x: 1)',
    '@instruction("a") @instruction("b")',
  ])('the annotation %s is refused', (annotation) => {
    expect(
      problemsIn({ text: `query q() ${annotation} { insert Cook { email: "x" } }` }, schema),
    ).toHaveLength(1);
  });
});

test('a stored query that a changed schema breaks is told where', () => {
  const text = read('$r: Recipe', '$r.slug,\n $r.minutes');
  const later = parseGraphSchema('node Recipe { slug: String @key }');
  expect(problemsIn({ text, file: 'a.gq' }, schema)).toEqual([]);
  expect(problemsIn({ text, file: 'a.gq' }, later)).toMatchObject([
    { line: 2, column: 2, code: 'unknown_property' },
  ]);
});
