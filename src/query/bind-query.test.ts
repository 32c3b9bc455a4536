import { describe, expect, test } from 'vitest';
import { TrellisError } from '../model/error.js';
import type { Json } from '../model/json.js';
import { parseGraphSchema } from '../schema/graph/parse-graph-schema.js';
import type { Condition, RowQuery } from '../store/row-query.js';
import { type BindContext, bindQuery } from './bind-query.js';
import { checkQueries } from './check/check-query.js';

const schema = parseGraphSchema(`
node Dish { slug: String @key  minutes: I32?  note: String?  taste: Vector(2)? @embed("note")  on: DateTime? }
node Menu { code: I64 @key }
edge Lists: Menu -> Dish { place: I32? }
`);

const context: BindContext = { clock: () => Date.UTC(2026, 0, 2, 3, 4, 5), embed: null };

async function bound(text: string, parameters: unknown = {}, given: BindContext = context) {
  const [query] = checkQueries({ text }, schema);
  if (query === undefined) throw new Error('No query.');
  return bindQuery(query, parameters, given);
}

async function rows(text: string, parameters: unknown = {}, given: BindContext = context): Promise<RowQuery> {
  const result = await bound(text, parameters, given);
  if (result.kind !== 'read') throw new Error('Not a read.');
  return result.query;
}

async function conditions(
  predicate: string,
  declared = '',
  parameters: unknown = {},
): Promise<readonly Condition[]> {
  return (await rows(`query q(${declared}) { match { $d: Dish ${predicate} } return { $d } }`, parameters))
    .match.conditions;
}

async function refusal(work: Promise<unknown>): Promise<TrellisError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof TrellisError) return thrown;
  throw new Error('It was not refused.', { cause: thrown });
}

const never = [{ kind: 'or', conditions: [] }];

describe('parameters', () => {
  test.each<[string, Json, Json]>([
    ['String', 'a', 'a'],
    ['I32', -5, -5],
    ['I64', '9223372036854775807', '9223372036854775807'],
    ['I64', '12', 12],
    ['U64', 7, 7],
    ['F64', 1.5, 1.5],
    ['Bool', false, false],
    ['Date', '2026-01-31', '2026-01-31'],
    ['DateTime', '2026-01-31T12:00:00+01:00', '2026-01-31T11:00:00.000Z'],
    ['Blob', 'aGk=', 'base64:aGk='],
    ['Blob', 'base64:aGk=', 'base64:aGk='],
    ['[I32]', [1, 2], [1, 2]],
    ['Vector(2)', [1, 0.5], [1, 0.5]],
    ['String?', null, null],
  ])('%s takes %j', async (type, given, expected) => {
    const { columns } = await rows(`query q($x: ${type}) { match { $d: Dish } return { $x } }`, { x: given });
    expect(columns).toMatchObject([{ name: 'x', expression: { kind: 'value', value: expected } }]);
  });

  test.each<[string, Json]>([
    ['String', 5],
    ['String', 'half a pair: \ud800'],
    ['I32', '5'],
    ['I32', 1.5],
    ['I32', 2 ** 31],
    ['U32', -1],
    ['I64', 2 ** 60],
    ['F64', '1'],
    ['Bool', 'true'],
    ['Date', '2026-02-30'],
    ['DateTime', '2026-01-01'],
    ['[I32]', 5],
    ['[I32]', [1, 'x']],
    ['[I32]', [1, null]],
    ['Vector(2)', [1]],
    ['String', null],
  ])('%s refuses %j, and does not turn it into something else', async (type, given) => {
    const text = `query q($x: ${type}) { match { $d: Dish } return { $x } }`;
    expect(await refusal(rows(text, { x: given }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('The parameter x must be'),
    });
  });

  const text =
    'query q($slug: String, $most: I32?) { match { $d: Dish { slug: $slug } $d.minutes < $most } return { $d } }';

  test('a missing one that may be null is null', async () => {
    expect((await rows(text, { slug: 'x' })).match.conditions).toEqual(never);
  });

  test.each([
    [{}, 'The parameter slug (String) is missing.'],
    [{ slug: 'x', slgu: 1 }, 'There is no parameter "slgu". Did you mean "slug"?'],
    [{ slug: 'x', $most: 1 }, 'There is no parameter "$most". Did you mean "most"?'],
    [JSON.parse('{"slug": "x", "__proto__": 1}'), 'There is no parameter "__proto__".'],
    [[1], 'Parameters are given as an object: {"name": value}.'],
  ])('%j is refused', async (given, message) => {
    const error = await refusal(rows(text, given));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message });
    expect(error.hint).toBe(
      'The query q takes slug: String, most: I32?; a ? marks those that may be left out.',
    );
  });
});

describe('null', () => {
  test.each([
    ['$d.minutes = $x', never],
    ['not $d.minutes = $x', never],
    ['not ($d.minutes = $x and $d.minutes = $x)', never],
    ['$d.minutes = $x or $d.slug = "a"', [{ kind: 'compare', right: { value: 'a' } }]],
    ['not ($d.minutes = $x and $d.slug = "a")', [{ kind: 'not', condition: { kind: 'compare' } }]],
    ['not ($d.minutes = $x or $d.slug = "a")', never],
    ['$x is null', []],
    ['$x is not null', never],
    ['not $x is not null', []],
    ['search($d.note, $t)', never],
    ['not search($d.note, $t)', never],
    ['exists { $m lists $d $m.code = $x }', never],
    ['not { $m lists $d $m.code = $x }', []],
  ])('%s', async (predicate, expected) => {
    expect(await conditions(predicate, '$x: I32?, $t: String?')).toMatchObject(expected);
  });

  test('a search for null is null as a column', async () => {
    const query = await rows(
      'query q($t: String?) { match { $d: Dish } return { search($d.note, $t) as s } }',
    );
    const nothing = { kind: 'value', value: null };
    expect(query.columns).toMatchObject([
      { expression: { kind: 'truth', condition: { kind: 'compare', left: nothing, right: nothing } } },
    ]);
  });
});

test('negations stand before single conditions', async () => {
  const predicate =
    'not ($d.slug = "a" and ($d.minutes > 1 or not $d.note is null) and not exists { $m lists $d })';
  expect(await conditions(predicate)).toMatchObject([
    {
      kind: 'or',
      conditions: [
        { kind: 'not', condition: { operator: '=' } },
        {
          kind: 'and',
          conditions: [
            { kind: 'not', condition: { operator: '>' } },
            { kind: 'is-null', negated: false },
          ],
        },
        { kind: 'exists', negated: false },
      ],
    },
  ]);
});

test('now() is one moment in a query', async () => {
  let time = Date.UTC(2026, 0, 2, 3, 4, 5);
  const text = 'query q() { match { $d: Dish $d.on < now() } return { now() as a, now() as b } }';
  const query = await rows(text, {}, { clock: () => time++, embed: null });
  const moments = JSON.stringify(query).match(/2026-[^"]+/g);
  expect(moments).toEqual(Array(3).fill('2026-01-02T03:04:05.000Z'));
});

describe('scores', () => {
  const text =
    'query q($t: String, $k: I32) { match { $d: Dish } return { $d } order { rrf(nearest($d.taste, $t), bm25($d.note, $t), $k) } limit 3 }';

  test('a text is embedded once, before the query is made', async () => {
    const asked: unknown[] = [];
    const embed = async (sought: string, dimension: number) => {
      asked.push([sought, dimension]);
      return [0.5, 1];
    };
    const query = await rows(text, { t: 'sweet', k: 10 }, { ...context, embed });
    expect(asked).toEqual([['sweet', 2]]);
    expect(query.order).toMatchObject([
      {
        descending: true,
        expression: {
          kind: 'rrf',
          k: 10,
          arms: [
            { kind: 'nearest', vector: [0.5, 1] },
            { kind: 'bm25', text: 'sweet' },
          ],
        },
      },
    ]);
  });

  test('without an embedder, or with one of another size, it is refused', async () => {
    expect(await refusal(rows(text, { t: 'x', k: 1 }))).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    const embed = async () => [1];
    expect(await refusal(rows(text, { t: 'x', k: 1 }, { ...context, embed }))).toMatchObject({
      message: 'The embedder makes vectors of 1 numbers, but taste is a Vector(2).',
    });
  });

  test.each(['', ' ', '…!'])('a text without words is refused: %j', async (t) => {
    const embed = async () => [0, 0];
    expect(await refusal(rows(text, { t, k: 1 }, { ...context, embed }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'The text that nearest compares taste with has no letter or digit.',
    });
  });

  test('a number out of its range is refused', async () => {
    const embed = async () => [1, 1];
    expect(await refusal(rows(text, { t: 'x', k: 0 }, { ...context, embed }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'The third argument of rrf must lie in 1..1000000. The parameter k is out of range.',
    });
  });
});

describe('mutations', () => {
  test('are statements with values', async () => {
    const text = `query q($note: String?, $id: I64) {
      insert Dish { slug: "a", note: $note, minutes: 5 }
      insert Lists { from: $id, to: "a", place: null }
      update Dish set { note: $note, minutes: 7 } where slug = "a"
      delete Dish where minutes > 5
    }`;
    expect(await bound(text, { id: '12' })).toMatchObject({
      kind: 'mutation',
      statements: [
        { kind: 'insert-node', type: 'Dish', name: null, props: { slug: 'a', minutes: 5 } },
        { kind: 'insert-edge', type: 'Lists', from: '12', to: 'a', props: {} },
        {
          kind: 'update',
          of: 'node',
          variable: 'row',
          set: { minutes: 7 },
          unset: ['note'],
          match: { nodes: [{ id: 'row', types: ['Dish'] }], conditions: [{ kind: 'compare' }] },
        },
        { kind: 'delete', of: 'node', type: 'Dish' },
      ],
    });
  });

  test('on a graph without a schema the name is the id, and any property is data', async () => {
    const text = 'query q() { insert Person { name: "Ann", `__proto__`: 5 } }';
    const [query] = checkQueries({ text }, null);
    const result = query && (await bindQuery(query, {}, context));
    const [statement] = result?.kind === 'mutation' ? result.statements : [];
    expect(statement).toMatchObject({ kind: 'insert-node', type: 'Person', name: 'Ann' });
    expect(JSON.stringify(statement)).toContain('"__proto__":5');
  });
});
