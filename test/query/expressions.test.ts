import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { AskedGraph } from './asked-graph.js';

const schema = `
  interface Named { name: String }
  node Person implements Named { name: String @key  age: I32?  active: Bool?  adult: Bool? }
  node Pet implements Named { name: String @key  size: I32?  tame: Bool? }
  edge Knows: Person -> Person { since: I32? }
  edge Owns: Person -> Pet { lane: I32  @key(@src, @dst, lane) }`;

const data = [
  { type: 'Person', data: { name: 'ann', age: 40, active: true, adult: true } },
  { type: 'Person', data: { name: 'bob', age: 20, active: false, adult: true } },
  { type: 'Person', data: { name: 'cy', adult: false } },
  { type: 'Pet', data: { name: 'rex', size: 3, tame: true } },
  { type: 'Pet', data: { name: 'tom', size: 4 } },
  { edge: 'Knows', from: 'ann', to: 'bob', data: { since: 2001 } },
  { edge: 'Knows', from: 'ann', to: 'cy' },
  { edge: 'Knows', from: 'cy', to: 'cy' },
  { edge: 'Owns', from: 'ann', to: 'rex', data: { lane: 1 } },
  { edge: 'Owns', from: 'ann', to: 'tom', data: { lane: 1 } },
  { edge: 'Owns', from: 'ann', to: 'rex', data: { lane: 2 } },
];

describe.each(databaseKinds)('the language on $kind', (kind) => {
  let scratch: Scratch;
  let asked: AskedGraph;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    asked = new AskedGraph(scratch.store);
    await asked.fill(schema, data);
  });
  afterAll(() => scratch.dispose());

  const people = async (clauses: string, params: object = {}, declared = '') =>
    (
      await asked.rows(
        `(${declared}) { match { $p: Person  ${clauses} } return { $p.name } order { $p.name } }`,
        params,
      )
    ).flat();

  describe('a Bool is a condition by itself', () => {
    test('a property, and its negation, of which null is neither', async () => {
      expect(await people('$p.active')).toEqual(['ann']);
      expect(await people('not $p.active')).toEqual(['bob']);
      expect(await people('$p.active or $p.age < 30')).toEqual(['ann', 'bob']);
    });

    test('a parameter, before another clause', async () => {
      const clauses = '$flag $q: Person { name: "ann" } $p = $q';
      expect(await people(clauses, { flag: true }, '$flag: Bool?')).toEqual(['ann']);
      expect(await people(clauses, { flag: false }, '$flag: Bool?')).toEqual([]);
      expect(await people(clauses, {}, '$flag: Bool?')).toEqual([]);
      expect(await people('not $flag', {}, '$flag: Bool?')).toEqual([]);
      expect(await people('$flag is null or $p.active = $flag', {}, '$flag: Bool?')).toHaveLength(3);
    });
  });

  describe('a comparison is a value', () => {
    const values = (expression: string, params: object = {}, declared = '') =>
      asked.rows(
        `(${declared}) { match { $p: Person } return { $p.name, ${expression} as v } order { $p.name } }`,
        params,
      );

    test('that can be returned, null if an operand is', async () => {
      expect(await values('$p.age > $min', { min: 30 }, '$min: I32?')).toEqual([
        ['ann', true],
        ['bob', false],
        ['cy', null],
      ]);
      expect(await values('$p.age > $min', {}, '$min: I32?')).toEqual([
        ['ann', null],
        ['bob', null],
        ['cy', null],
      ]);
    });

    test('with and, or, not, is null and blocks', async () => {
      expect(await values('not $p.active and $p.age is not null')).toEqual([
        ['ann', false],
        ['bob', true],
        ['cy', false],
      ]);
      expect(await values('exists { $p knows $_ }')).toEqual([
        ['ann', true],
        ['bob', false],
        ['cy', true],
      ]);
    });

    test('that rows are ordered and grouped by', async () => {
      const ordered =
        '() { match { $p: Person } return { $p.name } order { $p.age > 30 desc, $p.name desc } }';
      expect((await asked.rows(ordered)).flat()).toEqual(['ann', 'bob', 'cy']);
      const grouped =
        '() { match { $p: Person } return { $p.age > 30 as old, count($p) as n } order { old } }';
      expect(await asked.rows(grouped)).toEqual([
        [null, 1],
        [false, 1],
        [true, 1],
      ]);
    });

    test('that is compared with another, and used in a pattern', async () => {
      expect(await people('($p.age > 30) = $p.active')).toEqual(['ann', 'bob']);
      expect(await people('($p.age > 30) != ($p.age < 50)')).toEqual(['bob']);
      expect(await people('$q: Person { name: $p.name, adult: $p.age > 10 }')).toEqual(['ann', 'bob']);
      expect(await people('($p.age > 30) is null')).toEqual(['cy']);
    });
  });

  describe('aggregate blocks filter per outer row', () => {
    test('count { … }', async () => {
      expect(await people('count { $p knows $_ } = 2')).toEqual(['ann']);
      expect(await people('count { $p knows $_ } = 0')).toEqual(['bob']);
      expect(await people('count { $p owns $_ } = 2')).toEqual(['ann']);
      expect(await people('count { $p $w: owns $_ } = 3')).toEqual(['ann']);
      expect(await people('count { $p knows $f  count { $f knows $_ } = 0 } > 0')).toEqual(['ann']);
    });

    test('sum, avg, min and max; an empty block sums to 0, the others are null', async () => {
      expect(await people('sum($x.size) { $p owns $x } >= $n', { n: 7 }, '$n: I32')).toEqual(['ann']);
      expect(await people('sum($x.size) { $p owns $x } = 0')).toEqual(['bob', 'cy']);
      expect(await people('avg($x.size) { $p owns $x } = 3.5')).toEqual(['ann']);
      expect(await people('min($x.size) { $p owns $x } = 3')).toEqual(['ann']);
      expect(await people('max($x.name) { $p owns $x } = "tom"')).toEqual(['ann']);
      expect(await people('max($x.tame) { $p owns $x }')).toEqual(['ann']);
      expect(await people('avg($x.size) { $p owns $x } is null')).toEqual(['bob', 'cy']);
      expect(await people('max($x.size) { $p owns $x } > min($y.size) { $p owns $y }')).toEqual(['ann']);
    });

    test('are values, too', async () => {
      const read =
        '() { match { $p: Person } return { $p.name, count { $p knows $_ } as n, max($f.age) { $p knows $f } as oldest } order { n desc } }';
      expect(await asked.rows(read)).toEqual([
        ['ann', 2, 20],
        ['cy', 1, null],
        ['bob', 0, null],
      ]);
    });

    test('not { }, not { bound } and count { } = 0 agree', async () => {
      const lonely = await people('not { $p knows $_ }');
      expect(lonely).toEqual(['bob']);
      expect(await people('not { $p $w: knows $_ }')).toEqual(lonely);
      expect(await people('count { $p knows $_ } = 0')).toEqual(lonely);
    });

    test.each([
      ['not', ['ann', 'bob', 'cy']],
      ['exists', []],
      ['0 = count', ['ann', 'bob', 'cy']],
    ])('a condition that is never known makes no row of a block match: %s', async (block, names) => {
      const clauses = `${block} { $p knows $other  ($other.age = $age) = true }`;
      expect(await people(clauses, { age: null }, '$age: I32?')).toEqual(names);
    });
  });

  describe('system fields', () => {
    test('@id of nodes and edges, @src and @dst of edges', async () => {
      const read = '() { match { $a: Person  $a $w: knows $b } return { $a.@id, $w.@src, $w.@dst, $w.@id } }';
      expect(await asked.columns(read)).toEqual(['a.@id', 'w.@src', 'w.@dst', 'w.@id']);
      expect(await asked.rows(read)).toEqual([
        ['ann', 'ann', 'bob', '["ann","bob"]'],
        ['ann', 'ann', 'cy', '["ann","cy"]'],
        ['cy', 'cy', 'cy', '["cy","cy"]'],
      ]);
      const keyed = '() { match { $a: Person  $a $w: owns $b  $b.@id = "rex" } return { $w.@id } }';
      expect(await asked.rows(keyed)).toEqual([['["ann","rex","1"]'], ['["ann","rex","2"]']]);
    });
  });

  describe('names', () => {
    test('a bound variable that is named again is the same node', async () => {
      expect(await people('$p: Person { active: true }')).toEqual(['ann']);
      expect(await people('exists { $p: Person { active: false } }')).toEqual(['bob']);
      const narrowed = '() { match { $n: Named  exists { $n: Pet { tame: true } } } return { $n.name } }';
      expect(await asked.rows(narrowed)).toEqual([['rex']]);
    });

    test('an unaliased aggregate is named after what it is of', async () => {
      expect(
        await asked.columns('() { match { $p: Person  $p owns $f } return { count($f), sum($f.size) } }'),
      ).toEqual(['f', 'f.size']);
    });

    test('min and max take Bool', async () => {
      expect(
        await asked.rows(
          '() { match { $p: Person } return { min($p.active) as least, max($p.active) as most } }',
        ),
      ).toEqual([[false, true]]);
    });
  });

  test('names may begin with _', async () => {
    const read =
      'query _q($_n: I32) { match { $_p: Person  $_p.age > $_n } return { $_p.name as _who } order { _who } }';
    expect(await asked.source(read, { _n: 30 })).toMatchObject({ columns: ['_who'], rows: [['ann']] });
  });

  test('limit $n takes an integer parameter', async () => {
    const read = '($n: I32) { match { $p: Person } return { $p.name } order { $p.name } limit $n }';
    expect(await asked.rows(read, { n: 2 })).toEqual([['ann'], ['bob']]);
    await expect(asked.rows(read, { n: 0 })).rejects.toThrow(
      'A limit must lie in 1..10000. The parameter n is out of range.',
    );
  });

  test.each(['U32', 'I64', 'U64'])('limit $n takes %s', async (type) => {
    const read = `($n: ${type}) { match { $p: Person } return { $p.name } order { $p.name } limit $n }`;
    expect(await asked.rows(read, { n: 2 })).toEqual([['ann'], ['bob']]);
    expect(type.endsWith('64') ? await asked.rows(read, { n: '1' }) : [['ann']]).toEqual([['ann']]);
    const tooMany = type === 'U32' ? 4_294_967_295 : '9223372036854775807';
    await expect(asked.rows(read, { n: tooMany })).rejects.toThrow('A limit must lie in 1..10000.');
  });

  test.each(['F64', 'String', 'I32?'])('limit $n does not take %s', async (type) => {
    const read = `($n: ${type}) { match { $p: Person } return { $p.name } limit $n }`;
    await expect(asked.rows(read, { n: 2 })).rejects.toThrow(/^line 1, column \d+: A limit must /);
  });

  test('a further key may follow bm25 in order', async () => {
    const read =
      '() { match { $p: Person } return { $p.name } order { bm25($p.name, "x"), $p.age desc } limit 3 }';
    expect((await asked.rows(read)).flat()).toEqual(['ann', 'bob', 'cy']);
  });

  test('explain query … answers the plan', async () => {
    const read = 'query q() { match { $p: Person { name: "ann" }  $p knows $f } return { $f.name } }';
    expect(await asked.source(`explain ${read}`)).toMatchObject({
      columns: ['step'],
      rows: [['find $p (Person) by the index on name'], ['follow Knows forwards from $p to $f']],
    });
  });

  test('now() is one moment for the whole call', async () => {
    const read = '() { match { $p: Person } return { $p.name, now() = now() as same, now() as t } }';
    const rows = await asked.rows(read);
    expect(new Set(rows.map(([, , t]) => t)).size).toBe(1);
    expect(rows.every(([, same]) => same === true)).toBe(true);
  });
});

describe.each(databaseKinds)('where of a mutation on $kind', (kind) => {
  let scratch: Scratch;
  let asked: AskedGraph;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    asked = new AskedGraph(scratch.store);
    await asked.fill(schema, data);
  });
  afterAll(() => scratch.dispose());

  test('that mentions no property of the row is refused', async () => {
    for (const where of ['false = false', '$all', 'true', 'now() is not null']) {
      await expect(
        asked.mutate(`($all: Bool) { delete Person where ${where} }`, { all: true }),
      ).rejects.toThrow('This where does not depend on the row');
    }
  });

  test('takes @id, @src and @dst, and a Bool by itself', async () => {
    expect(
      await asked.mutate('() { update Person set { age: 41 } where @id = "ann" and active }'),
    ).toMatchObject({
      affectedNodes: 1,
    });
    expect(await asked.mutate('() { delete Knows where @src = "ann" and @dst = "cy" }')).toMatchObject({
      affectedEdges: 1,
    });
    expect(
      await asked.mutate('() { delete Owns where @id = "[\\"ann\\",\\"rex\\",\\"2\\"]" }'),
    ).toMatchObject({
      affectedEdges: 1,
    });
    expect(await asked.mutate('() { delete Person where not active }')).toMatchObject({ affectedNodes: 1 });
  });
});

describe.each(databaseKinds)('properties named like literals on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());

  test('are declared, written, read and changed', async () => {
    const asked = new AskedGraph(scratch.store);
    await asked.fill('node Odd { true: String @index(true) null: I32? false: Bool? now: I32? @key(true) }', [
      { type: 'Odd', data: { true: 'a', null: 1, false: true } },
    ]);
    await asked.mutate('() { insert Odd { true: "b", null: 2, false: false } }');
    const read = '() { match { $o: Odd { null: 2 }  not $o.false } return { $o.true, $o.null as null } }';
    expect(await asked.read(read, {})).toMatchObject({ columns: ['o.true', 'null'], rows: [['b', 2]] });
    await asked.mutate('() { update Odd set { null: 3, now: 4 } where `true` = "b" and not `false` }');
    expect(await asked.rows('() { match { $o: Odd } return { $o.null, $o.now } order { $o.null } }')).toEqual(
      [
        [1, null],
        [3, 4],
      ],
    );
  });
});
