import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/json.js';
import type { RowQuery } from '../../src/store/row-query.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import {
  ascending,
  block,
  compare,
  descending,
  hop,
  negate,
  node,
  own,
  prop,
  query,
  value,
} from './build.js';
import { type Described, type Tie, write } from './people.js';

describe.each(storeKinds)('the rows of a query on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  const fill = (nodes: readonly Described[], ties: readonly Tie[] = []) => write(scratch.store, nodes, ties);
  const ask = (asked: RowQuery, view: { branch?: string; commit?: string } = {}) =>
    scratch.store.read({ graph: 'default', ...view }, async (reader) => (await reader.query(asked)).rows);
  /** The ids of `$p` that meet a condition. */
  const who = async (condition: Parameters<typeof negate>[0]) =>
    (await ask(query(block([node('p')], { conditions: [condition] }), [own('p.id')]))).flat();
  const person = (name: string, props: Record<string, Json> = {}): Described => ({
    type: 'Person',
    name,
    props,
  });

  describe('variables', () => {
    test('without a tie are all combinations, in the order of their ids', async () => {
      await fill([person('b'), person('a'), { type: 'City', name: 'x' }]);
      const all = query(block([node('p', 'Person'), node('c')]), [own('p.id'), own('c.id')]);
      expect(await ask(all)).toEqual([
        ['a', 'a'],
        ['a', 'b'],
        ['a', 'x'],
        ['b', 'a'],
        ['b', 'b'],
        ['b', 'x'],
      ]);
    });

    test('of a node that is only the end of an edge are not found', async () => {
      await scratch.store.write({ graph: 'default' }, { actor: 'ann', tool: 'test' }, async (writer) => {
        const made = await writer.addIdentities([
          { type: 'Person', name: 'real' },
          { type: 'Person', name: 'stub' },
        ]);
        const [real = 0, stub = 0] = made.map((identity) => identity.node);
        await writer.putNodes([
          { id: real, type: 'Person', name: 'real' },
          { id: stub, type: 'Person', name: 'stub', stub: true },
        ]);
        await writer.putEdges([
          { from: real, to: stub, type: 'knows', key: '', fromName: 'real', toName: 'stub' },
        ]);
      });
      expect(await ask(query(block([node('p')]), [own('p.id')]))).toEqual([['real']]);
      const tied = block([node('p'), node('q')], { hops: [hop('p', 'knows', 'q')] });
      expect(await ask(query(tied, [own('q.id')]))).toEqual([]);
    });
  });

  describe('conditions', () => {
    test('nothing is neither equal nor unequal to anything', async () => {
      await fill([person('with', { age: 3 }), person('without'), person('null', { age: null })]);
      expect(await who(compare(prop('p.age', 'I32'), '=', value(3, 'I32')))).toEqual(['with']);
      expect(await who(compare(prop('p.age', 'I32'), '!=', value(4, 'I32')))).toEqual(['with']);
      expect(await who(negate(compare(prop('p.age', 'I32'), '=', value(4, 'I32'))))).toEqual(['with']);
      expect(await who(compare(prop('p.age', 'I32'), '=', value(null)))).toEqual([]);
      expect(await who({ kind: 'is-null', operand: prop('p.age', 'I32'), negated: false })).toEqual([
        'null',
        'without',
      ]);
    });

    test('without a schema values are compared with those of their own kind alone', async () => {
      await fill([person('number', { x: 1 }), person('text', { x: '1' }), person('flag', { x: true })]);
      expect(await who(compare(prop('p.x'), '=', value(1)))).toEqual(['number']);
      expect(await who(compare(prop('p.x'), '=', value('1')))).toEqual(['text']);
      expect(await who(compare(prop('p.x'), '=', value(true)))).toEqual(['flag']);
      expect(await who(compare(prop('p.x'), '!=', value(2)))).toEqual(['number']);
      expect(await who(compare(prop('p.x'), '<', value('2')))).toEqual(['text']);
    });

    test('integers beyond 2⁵³ are compared exactly, and as numbers', async () => {
      await fill([
        person('small', { n: 7 }),
        person('a', { n: '9007199254740993' }),
        person('b', { n: '9007199254740992' }),
        person('top', { n: '18446744073709551615' }),
      ]);
      const n = prop('p.n', 'U64');
      expect(await who(compare(n, '=', value('9007199254740993', 'U64')))).toEqual(['a']);
      expect(await who(compare(n, '>', value('9007199254740992', 'U64')))).toEqual(['a', 'top']);
      expect(await who(compare(n, '<', value(8, 'U64')))).toEqual(['small']);
      const inOrder = query(block([node('p')]), [n], { order: [descending(n)] });
      expect((await ask(inOrder)).flat()).toEqual([
        ...['18446744073709551615', '9007199254740993', '9007199254740992', 7],
      ]);
    });

    test('strings are ordered by code point', async () => {
      await fill(['é', 'z', 'Z', 'a', '\u{1F600}', '\uFFFD'].map((name) => person(name)));
      const inOrder = query(block([node('p')]), [own('p.id')], { order: [ascending(own('p.name'))] });
      expect((await ask(inOrder)).flat()).toEqual(['Z', 'a', 'z', 'é', '\uFFFD', '\u{1F600}']);
    });

    test('contains and starts_with know no wildcards', async () => {
      await fill([person('1', { t: '50% off' }), person('2', { t: '50 off_now' }), person('3', { t: '\\' })]);
      expect(await who(compare(prop('p.t', 'String'), 'contains', value('%', 'String')))).toEqual(['1']);
      expect(await who(compare(prop('p.t', 'String'), 'contains', value('_', 'String')))).toEqual(['2']);
      expect(await who(compare(prop('p.t', 'String'), 'starts_with', value('50%', 'String')))).toEqual(['1']);
      expect(await who(compare(prop('p.t', 'String'), 'contains', value('\\', 'String')))).toEqual(['3']);
    });
  });

  describe('hops', () => {
    const chain: Tie[] = [
      ['a', 'knows', 'b'],
      ['b', 'knows', 'c'],
      ['c', 'knows', 'a'],
      ['c', 'knows', 'd'],
      ['a', 'knows', 'a'],
      ['a', 'knows', 'b', { since: 2 }, 'again'],
    ];
    const from = (name: string, more: Parameters<typeof hop>[3]) =>
      query(
        block([node('p'), node('q')], {
          hops: [hop('p', 'knows', 'q', more)],
          conditions: [compare(own('p.id'), '=', value(name))],
        }),
        [own('q.id')],
      );
    beforeEach(() =>
      fill(
        ['a', 'b', 'c', 'd'].map((name) => person(name)),
        chain,
      ),
    );

    test('find each destination once, and the start only by an edge to itself', async () => {
      expect((await ask(from('a', {}))).flat()).toEqual(['a', 'b']);
      expect((await ask(from('b', { max: 5 }))).flat()).toEqual(['a', 'c', 'd']);
      expect((await ask(from('a', { max: 5 }))).flat()).toEqual(['a', 'b', 'c', 'd']);
      expect((await ask(from('a', { min: 2, max: 3 }))).flat()).toEqual(['c', 'd']);
    });

    test('go against the edge, or either way', async () => {
      expect((await ask(from('a', { direction: 'in' }))).flat()).toEqual(['a', 'c']);
      expect((await ask(from('a', { direction: 'both' }))).flat()).toEqual(['a', 'b', 'c']);
    });

    test('with a variable for the edge count every edge, loops too', async () => {
      const edges = query(from('a', { variable: 'w' }).match, [own('q.id'), prop('w.since', 'I32', 'edge')]);
      expect(await ask(edges)).toEqual([
        ['a', null],
        ['b', null],
        ['b', 2],
      ]);
    });

    test('that must not lead anywhere leave the others', async () => {
      const nobody = block([node('q')], { hops: [hop('p', 'knows', 'q')] });
      expect(await who({ kind: 'exists', block: nobody, negated: true })).toEqual(['d']);
      const far = block([node('q')], {
        hops: [hop('p', 'knows', 'q', { max: 2 })],
        conditions: [compare(own('q.id'), '=', value('d'))],
      });
      expect(await who({ kind: 'exists', block: far, negated: false })).toEqual(['b', 'c']);
    });
  });

  describe('aggregates', () => {
    test('group by the other columns; count is an integer, sum and avg are floats', async () => {
      await fill([person('a', { c: 'x', n: 1 }), person('b', { c: 'x', n: 2 }), person('d', { c: 'y' })]);
      const n = prop('p.n', 'I32');
      const rows = await ask(
        query(block([node('p')]), [
          prop('p.c', 'String'),
          { kind: 'aggregate', fn: 'count', of: { kind: 'node', variable: 'p' } },
          { kind: 'aggregate', fn: 'count', of: n },
          { kind: 'aggregate', fn: 'sum', of: n },
          { kind: 'aggregate', fn: 'avg', of: n },
          { kind: 'aggregate', fn: 'max', of: n },
        ]),
      );
      expect(rows).toEqual([
        ['x', 2, 2, 3, 1.5, 2],
        ['y', 1, 0, null, null, null],
      ]);
    });

    test('of integers that no float holds add up all the same', async () => {
      const large = ['9223372036854775807', '-9223372036854775806', 12, -3];
      await fill(large.map((n, index) => person(`p${index}`, { n })));
      const of = prop('p.n', 'I64');
      const rows = await ask(
        query(block([node('p')]), [
          { kind: 'aggregate', fn: 'sum', of },
          { kind: 'aggregate', fn: 'avg', of },
        ]),
      );
      expect(rows).toEqual([[10, 2.5]]);
    });

    // A file of JSON lines holds one node of each name.
    test.skipIf(kind.kind === 'jsonl')(
      'by an edge tell edges apart whose ends are called the same, ordered by the types of these',
      async () => {
        await fill([person('x'), person('y'), person('z')]);
        await scratch.store.write({ graph: 'default' }, { actor: 'ann', tool: 'test' }, async (writer) => {
          const [city = 0] = (await writer.addIdentities([{ type: 'City', name: 'x' }])).map(
            ({ node }) => node,
          );
          await writer.putNodes([{ id: city, type: 'City', name: 'x', props: {}, summary: null, tags: [] }]);
          const ends = await writer.nodes();
          const [real = 0, to = 0] = ['x', 'y'].map(
            (name) => ends.find((end) => end.name === name && end.type === 'Person')?.id ?? 0,
          );
          for (const [from, n] of [
            [real, 1],
            [city, 2],
          ] as const)
            await writer.putEdges([
              { from, to, fromName: 'x', toName: 'y', type: 'knows', key: '', props: { n } },
            ]);
        });
        const of = { kind: 'node', variable: 'o' } as const;
        for (const direction of ['out', 'both'] as const) {
          const match = block([node('p'), node('q'), node('o', 'Person')], {
            hops: [hop('p', 'knows', 'q', { variable: 'w', direction })],
          });
          const byEdge = query(match, [
            { kind: 'edge', variable: 'w', hidden: [], stamped: [] },
            { kind: 'aggregate', fn: 'count', of },
          ]);
          const each = direction === 'out' ? 3 : 6;
          expect(await ask(byEdge)).toEqual([
            [{ from: 'x', to: 'y', n: 2 }, each],
            [{ from: 'x', to: 'y', n: 1 }, each],
          ]);
        }
      },
    );

    test('of a value that is null are null, and count 0', async () => {
      await fill([person('a'), person('b')]);
      const of = {
        kind: 'value',
        value: null,
        type: { kind: 'scalar', scalar: 'I32', nullable: true },
      } as const;
      const aggregate = (fn: 'count' | 'sum' | 'avg' | 'min' | 'max') =>
        ({ kind: 'aggregate', fn, of }) as const;
      const sum = aggregate('sum');
      const all = [aggregate('count'), sum, aggregate('avg'), aggregate('min'), aggregate('max')];
      expect(await ask(query(block([node('p')]), all))).toEqual([[0, null, null, null, null]]);
      const ordered = { order: [descending(sum), ascending(own('p.id'))] };
      expect(await ask(query(block([node('p')]), [own('p.id'), sum], ordered))).toEqual([
        ['a', null],
        ['b', null],
      ]);
    });

    test('over no rows are one row without a group, and none with one', async () => {
      const of = prop('p.n', 'I32');
      const global = query(block([node('p', 'Nobody')]), [
        { kind: 'aggregate', fn: 'count', of },
        { kind: 'aggregate', fn: 'sum', of },
        { kind: 'aggregate', fn: 'min', of },
      ]);
      expect(await ask(global)).toEqual([[0, null, null]]);
      const byGroup = query(global.match, [prop('p.c'), { kind: 'aggregate', fn: 'count', of }]);
      expect(await ask(byGroup)).toEqual([]);
    });
  });

  test('order: nothing first ascending and last descending, ties by id, then the limit', async () => {
    await fill([person('d', { n: 1 }), person('c', { n: 1 }), person('b'), person('a', { n: 2 })]);
    const n = prop('p.n', 'I32');
    const up = query(block([node('p')]), [own('p.id')], { order: [ascending(n)] });
    expect((await ask(up)).flat()).toEqual(['b', 'c', 'd', 'a']);
    const down = query(block([node('p')]), [own('p.id')], { order: [descending(n)], limit: 3 });
    expect((await ask(down)).flat()).toEqual(['a', 'c', 'd']);
  });

  test('a node is an object of its id, its properties and what every node has, without the hidden ones', async () => {
    await fill([
      {
        ...{ type: 'Person', name: 'ada', props: { age: 36, face: [1, 2], gone: null }, summary: 'first' },
        ...{ tags: ['x'], observations: ['wrote notes', 'likes tea'] },
      },
    ]);
    const whole = query(block([node('p')]), [{ kind: 'node', variable: 'p', hidden: ['face'], stamped: [] }]);
    expect(await ask(whole)).toEqual([
      [
        {
          ...{ '@id': 'ada', age: 36, name: 'ada', summary: 'first', tags: ['x'] },
          observations: ['wrote notes', 'likes tea'],
        },
      ],
    ]);
  });

  describe('search', () => {
    beforeEach(() =>
      fill([
        person('1', { note: 'Green TEA, and cake' }),
        person('2', { note: 'cake and tea' }),
        person('3', { note: 'teapot' }),
        person('4'),
        { type: 'Person', name: '5', observations: ['drinks tea', 'eats cake'] },
      ]),
    );
    const found = (kind: 'search' | 'match_text' | 'fuzzy', text: string, edits: number | null = null) =>
      who({ kind, operand: prop('p.note', 'String'), text, edits });

    test('finds every word, in any order and case', async () => {
      expect(await found('search', 'tea CAKE')).toEqual(['1', '2']);
      expect(await found('search', 'tea"; drop table node_row; --')).toEqual([]);
      expect(await found('search', '!')).toEqual([]);
    });

    test('finds words of what is not shown: keys, and marks', async () => {
      await scratch.store.write({ graph: 'default' }, { actor: 'ann', tool: 'test' }, async (writer) => {
        const made = await writer.addIdentities([{ type: 'Person', name: '6' }]);
        await writer.putNodes(
          made.map(({ node: id, name }) => ({
            ...{ id, type: 'Person', name, props: { note: 'secret tea', _mark: 'hidden tea' } },
            provenance: { merge_keys: ['note'] },
          })),
        );
      });
      expect(await found('search', 'secret')).toEqual(['6']);
      const mark = {
        kind: 'search',
        operand: prop('p._mark', 'String'),
        text: 'hidden',
        edits: null,
      } as const;
      expect(await who(mark)).toEqual(['6']);
    });

    test('match_text finds words next to each other', async () => {
      expect(await found('match_text', 'and cake')).toEqual(['1']);
      expect(await found('match_text', 'cake AND tea')).toEqual(['2']);
    });

    test('fuzzy forgives one letter in five, two in longer words, or as many as it is told', async () => {
      expect(await found('fuzzy', 'tee')).toEqual(['1', '2']);
      expect(await found('fuzzy', 'teepat')).toEqual(['3']);
      expect(await found('fuzzy', 'tee', 0)).toEqual([]);
    });

    test('fuzzy finds words however they are written: in capitals, ligatures, full width, after a line, in a list', async () => {
      await fill([
        person('6', { note: 'A \uFB01lter' }),
        person('7', { note: '\uFF26\uFF29\uFF2C\uFF34\uFF25\uFF32' }),
        person('8', { note: 'said "x":\nFILTER\\n' }),
        person('9', { note: 'caf\u00e9 fliter' }),
        person('a', { note: 'filigree', 'a "b"': 'one filter' }),
        person('b', { note: ['none', 'the filters'] }),
      ]);
      expect(await found('fuzzy', 'filtar')).toEqual(['6', '7', '8', 'b']);
      expect(await found('fuzzy', 'filter', 3)).toEqual(['6', '7', '8', '9', 'b']);
      const odd = { kind: 'fuzzy', operand: prop('p.a "b"', 'String'), text: 'fliter', edits: 2 } as const;
      expect(await who(odd)).toEqual(['a']);
      expect(await who(negate(odd))).toEqual([]);
    });

    test('looks into observations', async () => {
      const inside = (text: string) =>
        who({ kind: 'search', operand: own('p.observations'), text, edits: null });
      expect(await inside('tea cake')).toEqual(['5']);
    });

    test('not of nothing is not true', async () => {
      const condition = {
        kind: 'search' as const,
        operand: prop('p.note', 'String'),
        text: 'tea',
        edits: null,
      };
      expect(await who(negate(condition))).toEqual(['3']);
    });

    test('bm25 ranks rare words higher, and rows without any last', async () => {
      const operand = prop('p.note', 'String');
      const ranked = query(block([node('p')]), [own('p.id')], {
        order: [descending({ kind: 'bm25', operand, text: 'teapot tea' })],
      });
      expect((await ask(ranked)).flat()).toEqual(['3', '2', '1', '4', '5']);
    });
  });

  test('nearest orders by cosine distance, what has no vector last; rrf joins two ranks', async () => {
    await fill([
      person('far', { v: [-1, 0], note: 'tea tea' }),
      person('near', { v: [1, 0.1], note: 'coffee' }),
      person('none', { note: 'tea' }),
      person('right', { v: [0, 1], note: 'coffee' }),
    ]);
    const v = prop('p.v', { kind: 'vector', dimension: 2, nullable: true });
    const nearest = { kind: 'nearest' as const, operand: v, vector: [1, 0] };
    const byDistance = query(block([node('p')]), [own('p.id')], { order: [ascending(nearest)], limit: 4 });
    expect((await ask(byDistance)).flat()).toEqual(['near', 'right', 'far', 'none']);
    const bm25 = { kind: 'bm25' as const, operand: prop('p.note', 'String'), text: 'tea' };
    const both = query(block([node('p')]), [own('p.id'), { kind: 'rrf', arms: [nearest, bm25], k: 60 }], {
      order: [descending({ kind: 'rrf', arms: [nearest, bm25], k: 60 })],
      limit: 2,
    });
    expect(await ask(both)).toEqual([
      ['far', 1 / 63 + 1 / 61],
      ['near', 1 / 61],
    ]);
  });

  test('nearest knows no distance of what is no vector, or of numbers whose squares nothing holds', async () => {
    await fill([
      person('good', { v: [3, 4] }),
      person('huge', { v: [1e308, 1] }),
      person('longer', { v: [1, 2, 3] }),
      person('mixed', { v: [1, null] }),
      person('nothing', { v: [0, 0] }),
      person('text', { v: 'near' }),
      person('texts', { v: ['a', 'b'] }),
      person('tiny', { v: [1e-300, 0] }),
      person('unit', { v: [1, 0] }),
    ]);
    const distances = (vector: readonly number[]) => {
      const operand = prop('p.v', { kind: 'vector', dimension: 2, nullable: true });
      const nearest = { kind: 'nearest' as const, operand, vector };
      return ask(
        query(block([node('p')]), [own('p.id'), nearest], { order: [ascending(nearest)], limit: 9 }),
      );
    };
    const others = ['huge', 'longer', 'mixed', 'nothing', 'text', 'texts', 'tiny'];
    const unknown = others.map((id) => [id, null]);
    expect(await distances([3, 4])).toEqual([['good', 0], ['unit', 0.4], ...unknown]);
    for (const vector of [
      [1e308, 0],
      [1e-300, 1e-300],
    ]) {
      expect(await distances(vector)).toEqual([['good', null], ...unknown, ['unit', null]]);
    }
  });

  describe('whatever names and values say', () => {
    const hostile = [
      ...[
        'a"b',
        "a'b",
        'a.b',
        '$[0]',
        '',
        '__proto__',
        'constructor',
        '?',
        '$1',
        '%',
        "'; drop table node_row; --",
      ],
      ...['a`b', '*', 'x OR 1=1', '{"a":1}', '\\', '\n', '#', 'é'],
    ];

    test.each(hostile)('%j is data, as the name of a property', async (name) => {
      const props = Object.fromEntries([[name, 'here']]);
      await fill([{ type: 'Person', name: 'with', props }, person('without', { other: 'here' })]);
      const named = { ...prop('p.x', 'String'), property: name };
      expect(await who(compare(named, '=', value('here', 'String')))).toEqual(['with']);
      expect(await ask(query(block([node('p')]), [named]))).toEqual([['here'], [null]]);
    });

    test('it is data as a value, a type, a variable, an edge and a text', async () => {
      await fill(hostile.map((text, index) => ({ type: `T${text}`, name: `n${index}`, props: { t: text } })));
      for (const [index, text] of hostile.entries()) {
        expect(await who(compare(prop('p.t', 'String'), '=', value(text, 'String')))).toEqual([`n${index}`]);
        const typed = query(block([node(text, `T${text}`)]), [{ ...own('p.id'), variable: text }]);
        expect(await ask(typed)).toEqual([[`n${index}`]]);
        const tied = block([node('p'), node('q')], { hops: [hop('p', text, 'q')] });
        expect(await ask(query(tied, [own('p.id')]))).toEqual([]);
      }
    });
  });

  test('more rows than allowed are refused, never cut off', async () => {
    await fill(['a', 'b', 'c'].map((name) => person(name)));
    const all = query(block([node('p')]), [own('p.id')]);
    const read = (maxRows: number, asked = all) =>
      scratch.store.read({ graph: 'default' }, (reader) => reader.query(asked, { maxRows }));
    await expect(read(2)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 2 } });
    expect((await read(3)).rows).toHaveLength(3);
    expect((await read(2, { ...all, limit: 2 })).rows).toHaveLength(2);
  });

  test('an answer that is too long is refused, and says how to ask for less', async () => {
    await fill(['a', 'b', 'c'].map((name) => person(name, { title: 'x'.repeat(100) })));
    const asked = query(block([node('p')]), [prop('p.title', 'String')]);
    const read = (maxLength: number) =>
      scratch.store.read({ graph: 'default' }, (reader) => reader.query(asked, { maxLength }));
    await expect(read(200)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 200 } });
    expect((await read(400)).rows).toHaveLength(3);
  });

  // SQLite cannot be interrupted: there the thread that runs the read is.
  test.runIf(kind.kind === 'postgres')(
    'what takes too long is ended, and the next query is answered',
    async () => {
      await fill(Array.from({ length: 200 }, (_, index) => person(`p${index}`)));
      const endless = query(block(['a', 'b', 'c', 'd', 'e'].map((id) => node(id))), [
        { kind: 'aggregate', fn: 'count', of: prop('a.x') },
      ]);
      const asked = scratch.store.read({ graph: 'default' }, (reader) =>
        reader.query(endless, { timeLimit: 100 }),
      );
      await expect(asked).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
      expect(await ask(query(block([node('p')]), [own('p.id')], { limit: 1 }))).toEqual([['p0']]);
    },
  );

  test('a write asks for what it has itself written', async () => {
    await scratch.store.write({ graph: 'default' }, { actor: 'ann', tool: 'test' }, async (writer) => {
      const [made] = await writer.addIdentities([{ type: 'Person', name: 'new' }]);
      await writer.putNodes([{ id: made?.node ?? 0, type: 'Person', name: 'new', props: { n: 1 } }]);
      const asked = query(block([node('p')], { conditions: [compare(prop('p.n'), '=', value(1))] }), [
        own('p.id'),
      ]);
      expect((await writer.query(asked)).rows).toEqual([['new']]);
    });
  });
});
