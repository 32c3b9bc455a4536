import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import type { IngestMode } from '../../src/ingest/ingest-mode.js';
import { type IngestTarget, runIngest } from '../../src/ingest/run-ingest.js';
import { asTrellisError } from '../../src/model/error.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { expectRefused, exportedLines } from './exported-lines.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `
node Person { email: String @key  age: I32?  born: DateTime? }
node Visit { room: String  day: Date  note: String?  @key(room, day) }
node Note { text: String }
edge Knows: Person -> Person { since: Date? }
edge Paid: Person -> Person { month: String  cents: I64  @key(src, dst, month) }
edge Made: Person -> Visit @card(0..1)
`;

type Line = object | string;

describe.each(databaseKinds)('$kind: ingest', (kind) => {
  let scratch: Scratch;
  let graph: Graph;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, 'default');
  });
  afterEach(() => scratch.dispose());

  const textOf = (lines: readonly Line[]) =>
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const target = (): IngestTarget => ({
    read: (work) => graph.read(work),
    commit: (work, options) => graph.commit(author, work, options),
  });
  const bytes = (text: string, mode: IngestMode = 'merge', maxBytes = 10_000_000) =>
    runIngest(target(), [Buffer.from(text)], { mode, maxBytes });
  const load = (lines: readonly Line[], mode?: IngestMode) => bytes(textOf(lines), mode);
  const exported = () => exportedLines(graph);
  const refused = (loading: Promise<unknown>, error: object) => expectRefused(graph, loading, error);

  describe('with a schema', () => {
    beforeEach(() => scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema)));

    const ada = { type: 'Person', data: { email: 'ada', age: 36 } };
    const bob = { type: 'Person', data: { email: 'bob' } };
    const knows = { edge: 'Knows', from: 'ada', to: 'bob', data: { since: '2026-01-01' } };

    test('a schema that is set while the lines are read is the one that counts', async () => {
      const setFirst = (source: string): IngestTarget => ({
        ...target(),
        async commit(work, options) {
          await scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(source));
          return graph.commit(author, work, options);
        },
      });
      const lines = [Buffer.from(textOf([{ type: 'Note', data: { id: 'one', text: 'hello' } }]))];
      const options = { mode: 'merge', maxBytes: 1_000 } as const;
      await runIngest(setFirst('node Note { text: String @key }'), lines, options).then(
        () => expect.fail('it has an id that is not its key'),
        (error) => expect(error).toMatchObject({ details: { line: 1 } }),
      );
      const keyed = [Buffer.from(textOf([{ type: 'Note', data: { text: 'hello' } }]))];
      await runIngest(setFirst('node Note { text: String @key  more: String? }'), keyed, options);
      const read = await graph.read((reader) => reader.nodesNamed(['hello']));
      expect(read.map(({ type, props }) => [type, props])).toEqual([['Note', { text: 'hello' }]]);
    });

    test('a line that only the schema of before refuses is taken', async () => {
      const text = textOf([{ type: 'Place', data: { room: 'hello' } }]);
      const placed = `${schema}\nnode Place { room: String @key }`;
      async function* slowly() {
        await scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(placed));
        yield Buffer.from(text);
      }
      await runIngest(target(), slowly(), { mode: 'merge', maxBytes: 1_000 });
      const read = await graph.read((reader) => reader.nodesNamed(['hello']));
      expect(read.map(({ type }) => type)).toEqual(['Place']);
    });

    test.each([
      '{"type":"Person","data":{"email":"eve","__proto__":1}}',
      '{"type":"Person","data":{"email":"eve","\\u005f_proto__":1}}',
      '{"edge":"Knows","from":"ada","to":"ada","data":{"__proto__":{"since":1}}}',
    ])('__proto__ is refused as a name: %s', async (line) => {
      await refused(load([ada, line]), {
        message: expect.stringContaining('__proto__ is not allowed as a name'),
        details: { line: 2 },
      });
    });

    test('an id of null is absent, wherever it is', async () => {
      await load([
        { type: 'Person', id: null, data: { email: 'ada', id: null, age: 36 } },
        { ...bob, id: null },
        { ...knows, id: null },
      ]);
      expect(await exported()).toEqual([ada, bob, knows]);
    });

    test('lines in any order are one commit', async () => {
      const { commit, ...counts } = await load([knows, ada, '', '  ', bob]);
      expect(counts).toEqual({
        nodes: [{ name: 'Person', loaded: 2 }],
        edges: [{ name: 'Knows', loaded: 1 }],
      });
      expect(await exported()).toEqual([ada, bob, knows]);
      const commits = await scratch.store.commits({ graph: 'default' });
      expect(commits[0]).toMatchObject({ id: commit?.id, counts: { nodesCreated: 2, edgesCreated: 1 } });
      expect(commits).toHaveLength(2);
    });

    test('what was exported and is loaded again changes nothing', async () => {
      await load([ada, bob, knows]);
      const lines = (await exported()) as object[];
      expect(await load(lines)).toMatchObject({ commit: null });
      expect(await exported()).toEqual(lines);
    });

    test('merge changes what the lines say and keeps the rest; the last line wins; null takes away', async () => {
      await load([{ ...ada, summary: 's', tags: ['t'], observations: ['one'] }]);
      await load([
        { type: 'Person', data: { email: 'ada', age: 37 } },
        {
          type: 'Person',
          data: { email: 'ada', age: 38, born: '2020-01-01T00:00:00Z' },
          observations: ['one', 'two'],
        },
      ]);
      expect(await exported()).toEqual([
        {
          type: 'Person',
          data: { email: 'ada', age: 38, born: '2020-01-01T00:00:00.000Z' },
          summary: 's',
          tags: ['t'],
          observations: ['one', 'two'],
        },
      ]);
      await load([{ type: 'Person', data: { email: 'ada', age: null } }]);
      expect(await exported()).toMatchObject([{ data: { email: 'ada', born: '2020-01-01T00:00:00.000Z' } }]);
    });

    test('append refuses what is there, or twice in the batch, and names the line', async () => {
      await load([ada, bob, knows], 'append');
      await refused(load([{ type: 'Person', data: { email: 'eve' } }, ada], 'append'), {
        code: 'NODE_EXISTS',
        message: 'Line 2: Person "ada" already exists.',
        details: { line: 2 },
      });
      await refused(load([knows], 'append'), { code: 'EDGE_EXISTS', details: { line: 1 } });
      const eve = { type: 'Person', data: { email: 'eve' } };
      await refused(load([eve, '', eve], 'append'), {
        code: 'NODE_EXISTS',
        message: 'Line 3: Person "eve" is already in line 1.',
      });
    });

    test('overwrite replaces everything of the types that occur, and nothing else', async () => {
      await load([ada, bob, knows, { type: 'Note', id: 'n', data: { text: 'stays' } }]);
      await load(
        [
          { type: 'Person', data: { email: 'ada' } },
          { type: 'Person', data: { email: 'eve' } },
          { edge: 'Knows', from: 'eve', to: 'ada' },
        ],
        'overwrite',
      );
      expect(await exported()).toEqual([
        { type: 'Person', data: { email: 'ada' } },
        { type: 'Note', id: 'n', data: { text: 'stays' } },
        { type: 'Person', data: { email: 'eve' } },
        { edge: 'Knows', from: 'eve', to: 'ada', data: {} },
      ]);
    });

    test('ids are the text of the key, of several properties a JSON array', async () => {
      await load([
        ada,
        { type: 'Visit', data: { room: 'a', day: '2026-01-02', note: 'x' } },
        { edge: 'Made', from: 'ada', to: '["a","2026-01-02"]' },
      ]);
      expect(await exported()).toContainEqual({
        edge: 'Made',
        from: 'ada',
        to: '["a","2026-01-02"]',
        data: {},
      });
    });

    test('a node without a key gets an id, or keeps the one the line gives', async () => {
      await load([
        { type: 'Note', data: { text: 'a' } },
        { type: 'Note', data: { text: 'a' } },
      ]);
      await load([{ type: 'Note', id: 'mine', data: { text: 'b' } }]);
      const ids = (await exported()).map((line) => (line as { id: string }).id);
      expect(ids).toEqual([
        expect.stringMatching(/^[0-9A-Z]{26}$/),
        expect.stringMatching(/^[0-9A-Z]{26}$/),
        'mine',
      ]);
    });

    test('edges with a key of their own stand side by side', async () => {
      const paid = (month: string, cents: unknown) => ({
        ...{ edge: 'paid', from: 'ada', to: 'bob', data: { month, cents } },
      });
      await load([ada, bob, paid('may', 1), paid('june', '9007199254740993'), paid('may', 2)]);
      const edges = (await exported()).slice(2);
      expect(edges).toEqual([
        { edge: 'Paid', from: 'ada', to: 'bob', key: expect.any(String), data: { month: 'may', cents: 2 } },
        {
          edge: 'Paid',
          from: 'ada',
          to: 'bob',
          key: expect.any(String),
          data: { month: 'june', cents: '9007199254740993' },
        },
      ]);
      expect(await load((await exported()) as object[])).toMatchObject({ commit: null });
    });

    test.each<[string, Line[], object]>([
      ['no JSON', [ada, '{'], { code: 'INVALID_ARGUMENT', details: { line: 2 } }],
      ['no object', ['[1]'], { details: { line: 1 } }],
      ['neither node nor edge', [{ data: {} }], { details: { line: 1 } }],
      [
        'an unknown member',
        [{ ...ada, Data: {} }],
        { message: expect.stringContaining('Did you mean "data"?') },
      ],
      [
        'an unknown type',
        [{ type: 'person', data: {} }],
        { code: 'SCHEMA_VIOLATION', message: expect.stringContaining('Did you mean "Person"?') },
      ],
      [
        'an unknown edge',
        [ada, { edge: 'Hates', from: 'ada', to: 'ada' }],
        { code: 'SCHEMA_VIOLATION', details: { line: 2 } },
      ],
      ['no key', [{ type: 'Person', data: { age: 3 } }], { details: { line: 1 } }],
      ['an empty key', [{ type: 'Person', data: { email: '' } }], { details: { line: 1 } }],
      [
        'another id than the key',
        [{ type: 'Person', id: 'x', data: { email: 'ada' } }],
        { details: { line: 1 } },
      ],
      [
        'a missing end',
        [ada, knows],
        {
          code: 'ENDPOINT_NOT_FOUND',
          message: 'Line 2: there is no Person "bob" (to), in the batch or in the graph.',
        },
      ],
      ['a lone surrogate', ['{"type":"Person","data":{"email":"\\ud800"}}'], { details: { line: 1 } }],
      ['NUL', ['{"type":"Person","data":{"email":"a\\u0000b"}}'], { details: { line: 1 } }],
      ['an empty tag', [{ ...ada, tags: ['a', ''] }], { details: { line: 1 } }],
      ['a wrong weight', [ada, bob, { ...knows, weight: 2 }], { details: { line: 3 } }],
    ])('a line with %s refuses the batch', async (_what, lines, error) => {
      await refused(load(lines), error);
    });

    test('values that do not fit are told with their lines, all of them', async () => {
      await refused(
        load([
          bob,
          { type: 'Person', data: { email: 'ada', age: 'old' } },
          { type: 'Person', data: { email: 'eve', constructor: 1 } },
          { edge: 'Knows', from: 'ada', to: 'bob', data: { since: 'yesterday' } },
        ]),
        {
          code: 'SCHEMA_VIOLATION',
          details: {
            count: 3,
            problems: [
              { line: 2, path: 'Person/ada.age' },
              { line: 3, path: 'Person/eve.constructor' },
              { line: 4, path: 'Knows(ada -> bob).since' },
            ],
          },
        },
      );
    });

    test('a key that is too long for an index is refused with its line, and not repeated', async () => {
      const long = 'k'.repeat(1_000_000);
      for (const [line, lines] of [
        [1, [{ type: 'Person', data: { email: long } }]],
        [1, [{ type: 'Visit', data: { room: long, day: '2026-01-01' } }]],
        [3, [ada, bob, { edge: 'Paid', from: 'ada', to: 'bob', data: { month: long, cents: 1 } }]],
      ] as const) {
        const error = await load(lines).catch(asTrellisError);
        expect(error).toMatchObject({
          message: expect.stringContaining('at most 4096 are allowed'),
          details: { line },
        });
        expect(JSON.stringify(error).length + String(error).length).toBeLessThan(5_000);
      }
    });

    test('a long text in a property that is indexed or unique is stored like any other', async () => {
      const typed = 'node Page { slug: String @key  body: String @index  code: String? @unique }';
      await scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(typed));
      // Not to be compressed, as a text that repeats itself would be.
      const long = Array.from({ length: 20_000 }, (_, i) =>
        Math.imul(i + 1, 2_654_435_761).toString(36),
      ).join(' ');
      await load([{ type: 'Page', data: { slug: 'a', body: long, code: long } }]);
      expect(await exported()).toMatchObject([{ data: { body: long, code: long } }]);
      await refused(load([{ type: 'Page', data: { slug: 'b', body: long, code: long } }]), {
        code: 'SCHEMA_VIOLATION',
      });
    });

    test('what only the whole can break is checked over the whole', async () => {
      const visit = (room: string) => ({ type: 'Visit', data: { room, day: '2026-01-01' } });
      await refused(
        load([
          ada,
          visit('a'),
          visit('b'),
          { edge: 'Made', from: 'ada', to: '["a","2026-01-01"]' },
          { edge: 'Made', from: 'ada', to: '["b","2026-01-01"]' },
        ]),
        { code: 'SCHEMA_VIOLATION', details: { problems: [{ line: 1, kind: 'cardinality' }] } },
      );
    });
  });

  describe('on an open graph', () => {
    const ada = { type: 'person', data: { name: 'Ada', age: 36 }, observations: ['x'] };

    test('the id is the name', async () => {
      await load([
        ada,
        { type: 'city', data: { name: 'London' } },
        { edge: 'lives in', from: 'Ada', to: 'London', weight: 0.5 },
      ]);
      expect(await exported()).toEqual([
        { type: 'person', id: 'Ada', data: { age: 36 }, observations: ['x'] },
        { type: 'city', id: 'London', data: {} },
        { edge: 'lives in', from: 'Ada', to: 'London', weight: 0.5, data: {} },
      ]);
      expect(await load((await exported()) as object[])).toMatchObject({ commit: null });
    });

    test('a node that relations were waiting for takes them over', async () => {
      await graph.write(author, async (tx) => {
        await createNodesLenient(tx, [{ type: 'city', name: 'London', observations: [] }]);
        await createEdgesWithStubs(tx, [{ from: 'London', type: 'home of', to: 'Ada' }]);
      });
      await load([ada]);
      expect(await exported()).toContainEqual({ edge: 'home of', from: 'London', to: 'Ada', data: {} });
      expect(await graph.read((reader) => reader.stubs())).toEqual([]);
    });

    test('overwrite removes stubs with their last edge, whether the edge or its node is not listed', async () => {
      const overwrite = (line: object) =>
        runIngest(target(), [Buffer.from(textOf([line]))], {
          ...{ mode: 'overwrite', cascade: true, maxBytes: 1_000 },
        });
      for (const line of [
        { edge: 'to', from: 'ada', to: 'bob' },
        { type: 'Person', data: { name: 'bob' } },
      ]) {
        await load(['ada', 'bob'].map((name) => ({ type: 'Person', data: { name } })));
        await graph.write(author, (tx) =>
          createEdgesWithStubs(tx, [{ from: 'ada', to: 'ghost', type: 'to' }]),
        );
        await overwrite(line);
        expect(await graph.read((reader) => reader.stubs())).toEqual([]);
      }
    });

    test('an end that is not there, and one that may mean two, are refused', async () => {
      await refused(load([ada, { edge: 'knows', from: 'Ada', to: 'Bob' }]), {
        code: 'ENDPOINT_NOT_FOUND',
        details: { line: 2 },
      });
      await refused(
        load([ada, { type: 'robot', data: { name: 'Ada' } }, { edge: 'is', from: 'Ada', to: 'Ada' }]),
        {
          code: 'AMBIGUOUS_NAME',
          details: { line: 3 },
        },
      );
      await refused(load([{ type: 'person', data: {} }]), { details: { line: 1 } });
    });

    test('a number that JSON cannot keep refuses the batch, however deep it lies', async () => {
      const line = (value: string) => `{"type":"t","data":{"name":"n","size":${value}}}`;
      for (const value of ['1e400', '-1e400', '{"of":[1,1e999]}']) {
        await refused(bytes(line(value)), {
          code: 'INVALID_ARGUMENT',
          message: 'Line 1: size is too large for a number.',
        });
      }
      await bytes(line('1e308'));
      expect(await exported()).toEqual([{ type: 't', id: 'n', data: { size: 1e308 } }]);
    });

    test('a tag counts once', async () => {
      await load([{ ...ada, tags: ['b', 'a', 'b'] }]);
      expect(await exported()).toMatchObject([{ tags: ['b', 'a'] }]);
    });

    test('property names are data, whatever they are, except for __proto__', async () => {
      await bytes('{"type":"t","data":{"name":"n","constructor":"x","\'; drop table node_row; --":true}}');
      expect(JSON.stringify(await exported())).toBe(
        '[{"type":"t","id":"n","data":{"constructor":"x","\'; drop table node_row; --":true}}]',
      );
    });
  });

  test('bounds are named: the batch, a line, bytes that are no text', async () => {
    await refused(bytes('{"type":"t","data":{"name":"n"}}', 'merge', 10), {
      code: 'LIMIT_EXCEEDED',
      details: { bytes: 10 },
    });
    await refused(bytes(`\n${' '.repeat(16_777_217)}`, 'merge', 20_000_000), {
      code: 'LIMIT_EXCEEDED',
      details: { line: 2 },
    });
    await refused(
      runIngest(
        { commit: (work, options) => graph.commit(author, work, options) },
        [Buffer.from([0x7b, 0xff, 0x7d])],
        {
          mode: 'merge',
          maxBytes: 100,
        },
      ),
      { details: { line: 1 } },
    );
  });

  test('lines that arrive in pieces, with a byte order mark and Windows line ends, are lines', async () => {
    const text = Buffer.from('\ufeff{"type":"t","data":{"name":"ä1"}}\r\n{"type":"t","data":{"name":"ö2"}}');
    const pieces = Array.from(text, (byte) => Uint8Array.of(byte));
    await runIngest({ commit: (work, options) => graph.commit(author, work, options) }, pieces, {
      mode: 'merge',
      maxBytes: 1_000,
    });
    expect(await exported()).toMatchObject([{ id: 'ä1' }, { id: 'ö2' }]);
  });
});
