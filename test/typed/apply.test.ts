import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { undo } from '../../src/engine/history/undo.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { type ApplySchemaRequest, applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const first = `
node Person { email: String @key  age: I32?  nick: String? }
node City { name: String @key }
edge LivesIn: Person -> City { since: Date? }
`;

describe.each(databaseKinds)('$kind: applying a schema', (kind) => {
  let scratch: Scratch;
  let graph: Graph;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, 'default');
  });
  afterEach(() => scratch.dispose());

  const apply = (source: string, wish: Partial<ApplySchemaRequest> = {}) =>
    applyGraphSchema({ commit: (work) => graph.commit(author, work) }, { source, ...wish });
  const load = (...lines: object[]) =>
    runIngest(
      { commit: (work) => graph.commit(author, work) },
      [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))],
      { mode: 'merge', maxBytes: 1_000_000, allowProvenance: true },
    );
  const people = () =>
    load(
      { type: 'Person', data: { email: 'ada', age: 36 }, observations: ['likes numbers'] },
      { type: 'Person', data: { email: 'bob' } },
      { type: 'City', data: { name: 'London' } },
      { edge: 'LivesIn', from: 'ada', to: 'London', data: { since: '1830-01-01' } },
    );
  const rows = () =>
    graph.read(async (reader) => ({
      nodes: (await reader.nodes()).map(({ type, name, props }) => [type, name, props]),
      edges: (await reader.edges()).map(({ type, fromName, toName, props }) => [
        type,
        fromName,
        toName,
        props,
      ]),
    }));
  const schema = () => graph.read((reader) => reader.schema());
  const steps = ({ steps: all }: { steps: readonly { step: string; type: string }[] }) =>
    all.map(({ step, type }) => `${step} ${type}`);

  test('trust 31: a pattern that takes too long to try is refused, in a dry run too, and changes nothing', async () => {
    await apply(first);
    const hostile = JSON.stringify(`^${'.{0,1000}'.repeat(100)}$`);
    const checks = Array.from({ length: 40 }, () => `@check(nick, ${hostile})`).join('\n');
    for (const dryRun of [true, false]) {
      await expect(
        apply(first.replace('nick: String?', `nick: String? ${checks}`), { dryRun }),
      ).rejects.toMatchObject({
        code: 'SCHEMA_INVALID',
        details: { problems: expect.arrayContaining([expect.objectContaining({ code: 'large_pattern' })]) },
      });
    }
    expect(await schema()).toBe(first);
  });

  test('trust 31: a text that is too long for its pattern is refused', async () => {
    await apply(first.replace('nick: String?', 'nick: String? @check(nick, "^.{0,1000}$")'));
    await expect(load({ type: 'Person', data: { email: 'ada', nick: 'x'.repeat(2_000) } })).rejects.toThrow(
      /nick must have at most 1247 characters: its pattern takes 2004 steps for each/,
    );
    await load({ type: 'Person', data: { email: 'ada', nick: 'x'.repeat(1_000) } });
  });

  test('trust 31: a graph whose schema was stored without bounds on patterns can get another', async () => {
    const hostile = JSON.stringify(`^${'.{0,1000}'.repeat(100)}$`);
    await graph.write(author, ({ rows }) =>
      rows.setSchema(first.replace('nick: String?', `nick: String? @check(nick, ${hostile})`)),
    );
    await load({ type: 'Person', data: { email: 'ada' } });
    const nicked = { type: 'Person', data: { email: 'ada', nick: 'x' } };
    await expect(load(nicked)).rejects.toThrow(/cannot be checked/);
    expect(await apply(first)).toMatchObject({ applied: true });
    await load(nicked);
  });

  test('a graph gets its first schema, as a commit', async () => {
    const applied = await apply(first);
    expect(applied).toMatchObject({ supported: true, applied: true, commit: { id: expect.any(String) } });
    expect(steps(applied)).toEqual(['add_type Person', 'add_type City', 'add_type LivesIn']);
    expect(await schema()).toBe(first);
    expect(await apply(first)).toEqual({ supported: true, applied: false, steps: [], commit: null });
  });

  test('what a graph holds already must fit its first schema; names become keys', async () => {
    await graph.write(author, async (tx) => {
      await createNodesLenient(tx, [
        { type: 'Person', name: 'ada', observations: ['x'] },
        { type: 'City', name: 'London', observations: [] },
        { type: 'note', name: 'n', observations: [] },
      ]);
      await createEdgesWithStubs(tx, [{ from: 'ada', type: 'LivesIn', to: 'London' }]);
    });
    await expect(apply(first)).rejects.toMatchObject({
      code: 'SCHEMA_VIOLATION',
      message: expect.stringContaining('Rows that are there do not fit the new schema: note/n'),
    });
    expect(await schema()).toBeNull();
    await graph.write(author, (tx) => deleteNodes(tx, ['n']));
    await apply(first);
    expect((await rows()).nodes).toEqual([
      ['Person', 'ada', { email: 'ada' }],
      ['City', 'London', { name: 'London' }],
    ]);
  });

  test('a relation to a name that is no node does not fit', async () => {
    await graph.write(author, async (tx) => {
      await createNodesLenient(tx, [{ type: 'Person', name: 'ada', observations: [] }]);
      await createEdgesWithStubs(tx, [{ from: 'ada', type: 'LivesIn', to: 'nowhere' }]);
    });
    await expect(apply(first)).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
  });

  describe('edges that only a key of their own tells apart', () => {
    const lives = { edge: 'LivesIn', from: 'ada', to: 'London', data: { since: '1830-01-01' } };
    beforeEach(() =>
      load({ type: 'Person', id: 'ada' }, { type: 'City', id: 'London' }, lives, { ...lives, key: 'again' }),
    );

    test('stay two if the schema declares no key', async () => {
      const { edges } = await rows();
      await apply(first);
      expect(edges).toHaveLength(2);
      expect((await rows()).edges).toEqual(edges);
    });

    test('are not made one by a key in which they are equal', async () => {
      const before = await rows();
      const keyed = first.replace('since: Date?', 'since: Date  @key(src, dst, since)');
      await expect(apply(keyed)).rejects.toMatchObject({
        code: 'SCHEMA_VIOLATION',
        message: expect.stringContaining('LivesIn(ada -> London): Another LivesIn joins the same nodes'),
      });
      expect(await rows()).toEqual(before);
    });
  });

  test.each(['', '// nothing yet', 'interface Named { label: String }'])(
    'one that declares no node is refused, even where data may be lost: %j',
    async (nothing) => {
      await apply(first);
      await people();
      const before = await rows();
      await expect(apply(nothing, { allowDataLoss: true })).rejects.toMatchObject({
        code: 'SCHEMA_INVALID',
        details: { problems: [{ code: 'no_node', line: 1, column: 1 }] },
      });
      expect(await rows()).toEqual(before);
      expect(await schema()).toBe(first);
    },
  );

  test('what is no schema is refused with its place', async () => {
    await expect(apply('node Person { email: Strin @key }')).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { problems: [{ line: 1, column: expect.any(Number) }] },
    });
  });

  test('types and properties are renamed with their rows', async () => {
    await apply(first);
    await people();
    const before = await graph.read((reader) => reader.nodesNamed(['ada']));
    const applied = await apply(`
      node Human @rename_from("Person") { email: String @key  years: I32? @rename_from("age")  nick: String? }
      node City { name: String @key }
      edge Inhabits: Human -> City @rename_from("LivesIn") { since: Date? }
    `);
    expect(steps(applied)).toEqual(['rename_type Human', 'rename_type Inhabits', 'rename_property Human']);
    expect(await rows()).toEqual({
      nodes: [
        ['Human', 'ada', { email: 'ada', years: 36 }],
        ['Human', 'bob', { email: 'bob' }],
        ['City', 'London', { name: 'London' }],
      ],
      edges: [['Inhabits', 'ada', 'London', { since: '1830-01-01' }]],
    });
    const after = await graph.read((reader) => reader.nodesNamed(['ada']));
    expect(after[0]?.id).toBe(before[0]?.id);
    expect(await graph.read((reader) => reader.observationsNamed(['ada']))).toMatchObject([
      { text: 'likes numbers', ordinal: 1 },
    ]);
  });

  test('an undo of that puts rows and schema back', async () => {
    await apply(first);
    await people();
    const before = await rows();
    const { commit } = await apply(
      first.replaceAll('Person', 'Human').replace('Human {', 'Human @rename_from("Person") {'),
    );
    await undo(scratch.store, { graph: 'default', commits: [commit?.id ?? ''], author });
    expect(await rows()).toEqual(before);
    expect(await schema()).toBe(first);
  });

  test('two types can change names with each other', async () => {
    await apply('node A { n: String @key } node B { n: String @key }');
    await load({ type: 'A', data: { n: 'a' } }, { type: 'B', data: { n: 'b' } });
    const applied = await apply(
      'node C @rename_from("B") { n: String @key } node B @rename_from("A") { n: String @key }',
    );
    expect(applied.applied).toBe(true);
    expect((await rows()).nodes).toEqual([
      ['B', 'a', { n: 'a' }],
      ['C', 'b', { n: 'b' }],
    ]);
  });

  test('what loses data is refused, planned, or done', async () => {
    await apply(first);
    await people();
    const fewer = 'node Person { email: String @key  nick: String? }';
    await expect(apply(fewer)).rejects.toMatchObject({
      code: 'SCHEMA_DATA_LOSS',
      details: {
        steps: expect.arrayContaining([expect.objectContaining({ step: 'drop_type', type: 'City' })]),
      },
    });
    expect(await schema()).toBe(first);
    const planned = await apply(fewer, { dryRun: true });
    expect(planned).toMatchObject({ supported: true, applied: false, commit: null });
    const applied = await apply(fewer, { allowDataLoss: true });
    expect(steps(applied)).toEqual(steps(planned));
    expect(await rows()).toEqual({
      nodes: [
        ['Person', 'ada', { email: 'ada' }],
        ['Person', 'bob', { email: 'bob' }],
      ],
      edges: [],
    });
  });

  test('a required property needs a default, which the rows get', async () => {
    await apply(first);
    await people();
    const withRole = (annotation: string) =>
      first.replace('nick: String?', `nick: String?  role: String ${annotation}`);
    expect(await apply(withRole(''))).toMatchObject({
      supported: false,
      applied: false,
      steps: [{ step: 'unsupported_change', property: 'role' }],
    });
    await apply(withRole('@default("guest")'));
    expect((await rows()).nodes).toContainEqual(['Person', 'bob', { email: 'bob', role: 'guest' }]);
  });

  describe('trust 28: an enum that gets narrower', () => {
    const levels = (values: string, rest = '?') =>
      `node Person { name: String @key  level: enum(${values})${rest} }
       edge Knows: Person -> Person { how: enum(${values})${rest} }`;
    beforeEach(async () => {
      await apply(levels('low, mid, high'));
      await load(
        { type: 'Person', data: { name: 'ada', level: 'high' } },
        { type: 'Person', data: { name: 'bob', level: 'low' } },
        { edge: 'Knows', from: 'ada', to: 'bob', data: { how: 'high' } },
        { edge: 'Knows', from: 'bob', to: 'bob', data: { how: 'low' } },
      );
    });

    test('loses a value that no row holds', async () => {
      expect(await apply(levels('low, high'))).toMatchObject({
        ...{ supported: true, applied: true },
        steps: [
          { step: 'narrow_enum', values: ['mid'], data_loss: false },
          { step: 'narrow_enum', values: ['mid'], data_loss: false },
        ],
      });
      await expect(load({ type: 'Person', data: { name: 'ada', level: 'mid' } })).rejects.toMatchObject({
        code: 'SCHEMA_VIOLATION',
      });
    });

    test('loses a value that rows hold only if that is said, and then these rows lose it too', async () => {
      const before = await rows();
      await expect(apply(levels('low, mid'))).rejects.toMatchObject({
        code: 'SCHEMA_DATA_LOSS',
        message: expect.stringContaining(
          'Person.level may no longer be high. 1 row with such a value loses it.',
        ),
        details: { steps: [{ step: 'narrow_enum' }, { step: 'narrow_enum' }] },
      });
      expect(await rows()).toEqual(before);
      await apply(levels('low, mid'), { allowDataLoss: true });
      expect(await rows()).toEqual({
        nodes: [
          ['Person', 'ada', { name: 'ada' }],
          ['Person', 'bob', { name: 'bob', level: 'low' }],
        ],
        edges: [
          ['Knows', 'ada', 'bob', {}],
          ['Knows', 'bob', 'bob', { how: 'low' }],
        ],
      });
    });

    test('gives those rows the default where a value is required', async () => {
      await apply(levels('low, mid, high', ' @default(low)'));
      await apply(levels('low, mid', ' @default(mid)'), { allowDataLoss: true });
      expect(await rows()).toMatchObject({
        nodes: [
          ['Person', 'ada', { level: 'mid' }],
          ['Person', 'bob', { level: 'low' }],
        ],
        edges: [
          ['Knows', 'ada', 'bob', { how: 'mid' }],
          ['Knows', 'bob', 'bob', { how: 'low' }],
        ],
      });
    });

    test('is refused where rows hold the value and need one', async () => {
      await apply(levels('low, mid, high', ' @default(low)'));
      expect(await apply(levels('low, mid', ''), { allowDataLoss: true })).toMatchObject({
        ...{ supported: false, applied: false },
      });
    });
  });

  test('trust 28: the same schema makes no commit, however it is set', async () => {
    const { commit } = await apply(first);
    const same = [
      first,
      first.trim(),
      first.replaceAll('\n', '\r\n'),
      first.replaceAll('{', '{\n ').replaceAll('  ', '\n'),
    ];
    for (const source of same)
      expect(await apply(source)).toEqual({ supported: true, applied: false, steps: [], commit: null });
    expect(await schema()).toBe(first);
    const head = async () => (await scratch.store.branches('default'))[0]?.headCommit;
    expect(await head()).toBe(commit?.id);
    const explained = `// People and where they live\n${first}`;
    expect(await apply(explained)).toMatchObject({ applied: true, steps: [] });
    expect(await schema()).toBe(explained);
  });

  test('a property that is renamed keeps where it came from, and one that is dropped does not', async () => {
    await apply(first);
    const stamp = { source: 'gate', confidence: 0.5 };
    const provenance = {
      ...stamp,
      merge_keys: ['email'],
      properties: { age: stamp, nick: stamp, email: stamp },
    };
    await load({ type: 'Person', data: { email: 'ada', age: 36, nick: 'a' }, provenance });
    const renamed = first
      .replace('email: String', 'mail: String @rename_from("email")')
      .replace('age: I32?', 'years: I32? @rename_from("age")')
      .replace('nick: String?', '');
    await apply(renamed, { allowDataLoss: true });
    const [ada] = await graph.read((reader) => reader.nodes());
    expect(ada).toMatchObject({ props: { mail: 'ada', years: 36 } });
    expect(ada?.provenance).toEqual({
      ...stamp,
      merge_keys: ['mail'],
      properties: { mail: stamp, years: stamp },
    });
  });

  test('rows that break a new constraint refuse it, with examples; a dry run says so too', async () => {
    await apply(first);
    await people();
    const stricter = first.replace('nick: String?', 'nick: String?  @range(age, ..30)');
    for (const dryRun of [true, false]) {
      await expect(apply(stricter, { dryRun })).rejects.toMatchObject({
        code: 'SCHEMA_VIOLATION',
        details: { problems: [{ path: 'Person/ada.age' }] },
      });
    }
    expect(await schema()).toBe(first);
    await apply(first.replace('nick: String?', 'nick: String?  @range(age, ..40)'));
  });

  test('a dry run changes nothing', async () => {
    await apply(first);
    await people();
    const before = await rows();
    const applied = await apply(first.replace('nick: String?', 'nick: String?  role: String @default("x")'), {
      dryRun: true,
    });
    expect(applied).toMatchObject({ supported: true, applied: false, commit: null });
    expect(await rows()).toEqual(before);
    expect(await schema()).toBe(first);
  });

  test('what would break a stored query is refused, and the query named', async () => {
    await expect(
      apply(first, { findBrokenQueries: async () => [{ name: 'find_user', problem: 'User is gone.' }] }),
    ).rejects.toMatchObject({
      code: 'SCHEMA_BREAKS_QUERY',
      details: { queries: [{ name: 'find_user', problem: 'User is gone.' }] },
    });
    expect(await schema()).toBeNull();
  });
});
