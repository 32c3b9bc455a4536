import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { exportLines } from '../../src/ingest/export-lines.js';
import type { IngestMode } from '../../src/ingest/ingest-mode.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { expectRefused, exportedLines } from './exported-lines.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `
node Person { email: String @key  born: Date?  seen: DateTime?  holidays: [Date]? }
node Seat { row: String  number: I32  day: Date  @key(row, number, day) }
node Note { text: String }
node Thing { id: String @key  size: I32? }
edge Knows: Person -> Person { since: Date?  how: String? }
edge Paid: Person -> Person { month: String  cents: I32?  @key(src, dst, month) }
edge Took: Person -> Seat
edge About: Note -> Person
`;

describe.each(databaseKinds)('$kind: lines as other programs export them', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  let graphs = 0;

  const fresh = async (source: string | null = schema) => {
    const name = `g${++graphs}`;
    await scratch.store.createGraph(name);
    if (source !== null)
      await scratch.store.write({ graph: name }, author, (writer) => writer.setSchema(source));
    return new Graph(scratch.store, name);
  };
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = await fresh();
  });
  afterEach(() => scratch.dispose());

  const load = (lines: readonly object[], mode: IngestMode = 'merge', target = graph, cascade?: boolean) =>
    runIngest(
      { commit: (work) => target.commit(author, work) },
      [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))],
      { mode, maxBytes: 1_000_000, cascade },
    );
  const withIds = async (source = graph) => {
    const lines: object[] = [];
    for await (const page of exportLines((work) => source.read(work), { ids: true }))
      lines.push(...page.lines.map((line) => JSON.parse(line)));
    return lines;
  };
  const refused = (loading: Promise<unknown>, error: object) => expectRefused(graph, loading, error);

  const ada = { type: 'Person', data: { email: 'ada' } };
  const bob = { type: 'Person', data: { email: 'bob' } };
  const knows = (data: object, more: object = {}) => ({
    edge: 'Knows',
    from: 'ada',
    to: 'bob',
    data,
    ...more,
  });

  test('data.id that equals the key is accepted and not stored as a property', async () => {
    await load([{ type: 'Person', data: { id: 'ada', email: 'ada' } }]);
    expect(await exportedLines(graph)).toEqual([ada]);
    await refused(load([{ type: 'Person', data: { id: 'eve', email: 'ada' } }]), {
      message: 'Line 1: its id is "eve", but its key says "ada".',
    });
    await refused(load([{ type: 'Person', id: 'ada', data: { id: 'eve', email: 'ada' } }]), {
      message: 'Line 1: its "id" and its "data.id" differ.',
    });
  });

  test('data.id names a node without a key, and its edges find it', async () => {
    await load([
      ada,
      { type: 'Note', data: { id: '01J', text: 'x' } },
      { edge: 'About', from: '01J', to: 'ada', data: {} },
    ]);
    expect(await exportedLines(graph)).toContainEqual({ type: 'Note', id: '01J', data: { text: 'x' } });
  });

  test('a property that the schema calls id stays a property', async () => {
    await load([{ type: 'Thing', id: 't1', data: { id: 't1', size: 3 } }]);
    expect(await exportedLines(graph)).toEqual([{ type: 'Thing', data: { id: 't1', size: 3 } }]);
  });

  test('dates are days since 1970 or texts; date-times without a zone are UTC', async () => {
    await load([
      { type: 'Person', data: { email: 'ada', born: 0, seen: '2026-01-02T03:04:05', holidays: [-1, 20454] } },
      { type: 'Person', data: { email: 'bob', born: '1990-05-05', seen: '2026-01-02T03:04:05.5+01:00' } },
      knows({ since: 20454 }),
    ]);
    expect(await exportedLines(graph)).toEqual([
      {
        type: 'Person',
        data: {
          email: 'ada',
          born: '1970-01-01',
          seen: '2026-01-02T03:04:05.000Z',
          holidays: ['1969-12-31', '2026-01-01'],
        },
      },
      { type: 'Person', data: { email: 'bob', born: '1990-05-05', seen: '2026-01-02T02:04:05.500Z' } },
      knows({ since: '2026-01-01' }),
    ]);
    await refused(load([{ type: 'Person', data: { email: 'eve', born: 1.5 } }]), {
      code: 'SCHEMA_VIOLATION',
    });
  });

  test('the same time in another spelling changes nothing', async () => {
    const person = (seen: string) => ({ type: 'Person', data: { email: 'ada', seen } });
    await load([person('2026-01-02T03:04:05')]);
    for (const seen of ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z', '2026-01-02 04:04:05.000+01:00'])
      expect((await load([person(seen)])).commit, seen).toBeNull();
  });

  test('members of a composite id may be strings, on the node and on the edges to it', async () => {
    await load([
      ada,
      { type: 'Seat', id: '["a","7","2026-01-01"]', data: { row: 'a', number: 7, day: 20454 } },
      { edge: 'Took', from: 'ada', to: '["a","7","20454"]' },
    ]);
    expect(await exportedLines(graph)).toContainEqual({
      ...{ edge: 'Took', from: 'ada', to: '["a",7,"2026-01-01"]', data: {} },
    });
  });

  test('an id on an edge becomes its key: parallel edges are two, and the same id is the same edge', async () => {
    await load([
      ...[ada, bob, knows({ how: 'work' }, { id: 'e1' }), knows({ how: 'chess', id: 'e2' })],
      ...[knows({ how: 'chess' }, { key: 'e3' })],
    ]);
    await load([knows({ how: 'school' }, { id: 'e1' })]);
    expect((await exportedLines(graph)).slice(2)).toEqual([
      knows({ how: 'school' }, { key: 'e1' }),
      knows({ how: 'chess' }, { key: 'e2' }),
      knows({ how: 'chess' }, { key: 'e3' }),
    ]);
    await refused(load([knows({}, { id: 'e1', key: 'e2' })]), {
      message: 'Line 1: its "id" and its "key" differ.',
    });
  });

  test('two edges that differ in their values alone are refused, with both lines and the ways out', async () => {
    for (const mode of ['merge', 'overwrite'] as const)
      await refused(load([ada, knows({ how: 'work' }), bob, knows({ how: 'chess' })], mode), {
        message:
          'Line 4: Knows ada -> bob is already in line 2, with other values; both would become one edge.',
        hint: expect.stringMatching(/give each line an "id", or declare a key for Knows/),
        details: { line: 4 },
      });
    await refused(load([ada, bob, knows({}), knows({}, { weight: 0.5 })]), { details: { line: 4 } });
  });

  test('an edge that is repeated without a difference is one edge', async () => {
    await load([ada, bob, knows({ how: 'work' }), knows({ how: 'work', since: null }, { weight: 1 })]);
    expect((await exportedLines(graph)).slice(2)).toEqual([knows({ how: 'work' })]);
  });

  test('a declared key tells edges apart; two ids for one key are refused', async () => {
    const paid = (month: string, id: string, cents: number) => ({
      ...{ edge: 'Paid', id, from: 'ada', to: 'bob', data: { month, cents } },
    });
    await load([ada, bob, paid('may', 'x', 1), paid('june', 'y', 1), paid('may', 'x', 2)]);
    expect((await exportedLines(graph)).slice(2)).toMatchObject([
      { data: { month: 'may', cents: 2 } },
      { data: { month: 'june', cents: 1 } },
    ]);
    await refused(load([paid('may', 'x', 1), paid('may', 'z', 1)]), {
      message: 'Line 2: Paid ada -> bob is already in line 1, with another id; both would become one edge.',
    });
  });

  test('without a schema too: edges that turn out to be one are not quietly merged', async () => {
    graph = await fresh(null);
    const person = (name: string) => ({ type: 'person', data: { name } });
    const edge = (data: object, more: object = {}) => ({ edge: 'knows', from: 'a', to: 'b', data, ...more });
    await refused(load([person('a'), person('b'), edge({ n: 1 }), edge({ n: 2 })]), { details: { line: 4 } });
    await refused(load([person('a'), person('b'), edge({ n: 1 }), edge({ n: 2 }, { from_type: 'person' })]), {
      details: { line: 4 },
    });
    await load([person('a'), person('b'), edge({ n: 1 }, { id: '1' }), edge({ n: 2 }, { id: '2' })]);
    expect((await exportedLines(graph)).slice(2)).toEqual([
      edge({ n: 1 }, { key: '1' }),
      edge({ n: 2 }, { key: '2' }),
    ]);
  });

  test('overwrite is refused if edges of types that are not in the batch would go, unless it cascades', async () => {
    const note = { type: 'Note', id: 'n', data: { text: 'x' } };
    await load([ada, bob, note, knows({}), { edge: 'About', from: 'n', to: 'bob' }]);
    const eve = { type: 'Person', data: { email: 'eve' } };
    await refused(load([ada, eve], 'overwrite'), {
      code: 'CONFIRMATION_NEEDED',
      message:
        'The nodes that are not in the batch have edges of types that are not in it either: About (1), Knows (1).',
      hint: expect.stringContaining('cascade'),
    });
    expect(await load([ada, eve], 'overwrite', graph, true)).toMatchObject({
      nodes: [{ name: 'Person', loaded: 2 }],
      removed: {
        nodes: [{ name: 'Person', removed: 1 }],
        edges: [
          { name: 'About', removed: 1 },
          { name: 'Knows', removed: 1 },
        ],
      },
    });
  });

  test('overwrite removes edges of types in the batch with their nodes, and says so', async () => {
    const eve = { type: 'Person', data: { email: 'eve' } };
    await load([ada, bob, eve, knows({})]);
    const report = await load([ada, eve, { ...knows({}), to: 'eve' }], 'overwrite');
    expect(report.removed).toEqual({
      nodes: [{ name: 'Person', removed: 1 }],
      edges: [{ name: 'Knows', removed: 1 }],
    });
  });

  test('what is exported with ids comes back as the same graph, whatever it holds', async () => {
    const emails = ['a', 'b', 'c'];
    const email = fc.constantFrom(...emails);
    const key = fc.option(fc.stringMatching(/^[ -~]{1,12}$/), { nil: undefined });
    const date = fc.integer({ min: -700_000, max: 2_900_000 });
    const person = fc.record({ born: fc.option(date), seen: fc.constantFrom('2026-01-01T10:00', null) });
    const edge = fc.record({ from: email, to: email, id: key, since: fc.option(date, { nil: undefined }) });
    const seat = fc.record({ row: fc.string({ minLength: 1 }), number: fc.integer({ max: 9 }), day: date });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(person, person, person),
        fc.uniqueArray(edge, { selector: (one) => JSON.stringify([one.from, one.to, one.id]) }),
        fc.uniqueArray(seat, { selector: ({ row, number, day }) => JSON.stringify([row, number, day]) }),
        async (people, edges, seats) => {
          const [source, copy] = [await fresh(), await fresh()];
          await load(
            [
              ...people.map((data, index) => ({ type: 'Person', data: { email: emails[index], ...data } })),
              ...edges.map(({ from, to, id, since }) => ({ edge: 'Knows', from, to, id, data: { since } })),
              ...seats.map((data) => ({ type: 'Seat', data })),
              ...seats.map(({ row, number, day }) => ({
                ...{ edge: 'Took', from: 'a', to: JSON.stringify([row, String(number), String(day)]) },
              })),
            ],
            'merge',
            source,
          );
          const lines = await withIds(source);
          await load(lines, 'append', copy);
          expect(await withIds(copy)).toEqual(lines);
          expect(await exportedLines(copy)).toEqual(await exportedLines(source));
          expect(lines.filter((line) => 'edge' in line && line.edge === 'Knows')).toHaveLength(edges.length);
        },
      ),
      { numRuns: kind.kind === 'sqlite' ? times(15, 100) : times(3, 10) },
    );
  });
});
