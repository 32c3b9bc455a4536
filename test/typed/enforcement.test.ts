import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { undo } from '../../src/engine/history/undo.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createKeyedNode } from '../../src/engine/write/create-keyed-node.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import type { Props } from '../../src/model/json.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const schema = `
node Recipe @description("a dish") {
  slug: String @key
  minutes: I32?
  level: enum(easy, medium, hard)?
  code: String? @unique
  shelf: String?
  box: I32?
  @range(minutes, 1..600)
  @check(code, "^[A-Z]+$")
  @unique(shelf, box)
}
node Cook { email: String @key  born: Date? }
node Step { recipe: String  number: I32  text: String?  @key(recipe, number) }
node Note { text: String? }
node Day { day: Date @key }
node Count { n: I64 @key }
node Weight { grams: F64 @key }
node Flag { on: Bool @key }
node Level { level: enum(easy, hard) @key }
edge Wrote: Recipe -> Cook @card(0..1)
edge Has: Recipe -> Step
edge Tried: Cook -> Recipe { stars: U32  on: Date?  @unique(src, on) }
edge Likes: Cook -> Cook
`;

const author = { actor: 'ann', tool: 'test' };

describe.each(databaseKinds)('$kind: a graph with a schema', (kind) => {
  let scratch: Scratch;
  let store: Store;
  let graph: Graph;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    store = scratch.store;
    graph = new Graph(store, 'default');
    await store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema));
  });
  afterEach(() => scratch.dispose());

  const on = (branch: string) => new Graph(store, 'default', { branch });
  const create = (type: string, name: string, observations: string[] = [], where = graph) =>
    where.write(author, (tx) => createNodesLenient(tx, [{ type, name, observations }]));
  const relate = (from: string, type: string, to: string, where = graph) =>
    where.write(author, (tx) => createEdgesWithStubs(tx, [{ from, type, to }]));
  const keyed = (type: string, name: string, props: Props, where = graph) =>
    where.write(author, (tx) => createKeyedNode(tx, { type, names: [name], props }));
  const set = (name: string, props: Props, where = graph) =>
    where.write(author, async (tx) => {
      const [node] = await tx.rows.nodesNamed([name]);
      if (node) await tx.rows.putNodes([{ ...node, props: { ...node.props, ...props } }]);
    });
  const names = async (where = graph) =>
    (await where.read((reader) => reader.nodes())).map(({ name }) => name);
  const propsOf = async (name: string, where = graph) =>
    (await where.read((reader) => reader.nodesNamed([name])))[0]?.props;
  const refused = async (writing: Promise<unknown>, ...problems: object[]) => {
    // It may fail while the names are read.
    writing.catch(() => {});
    const before = await names();
    await expect(writing).rejects.toMatchObject({
      code: 'SCHEMA_VIOLATION',
      details: { count: problems.length, problems },
    });
    expect(await names()).toEqual(before);
  };

  test('a key is not deleted as an observation, and nothing that goes with it', async () => {
    await create('Recipe', 'soup', ['is warm']);
    const removed = graph.write(author, (tx) =>
      deleteObservations(tx, [{ name: 'soup', texts: ['is warm', 'slug: soup'] }]),
    );
    await expect(removed).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
    await graph.read(async (reader) => {
      const [node] = await reader.nodesNamed(['soup']);
      expect(node?.props).toEqual({ slug: 'soup' });
      expect(await reader.observationsNamed(['soup'])).toHaveLength(1);
    });
  });

  test('a node that is only given a name gets its key from that', async () => {
    await create('Recipe', 'carbonara', ['uses guanciale']);
    expect(await propsOf('carbonara')).toEqual({ slug: 'carbonara' });
    await graph.write(author, (tx) =>
      addObservationsStrict(tx, [{ name: 'carbonara', texts: ['no cream'] }]),
    );
  });

  test.each<[string, string, Props]>([
    ['Day', '2024-02-29', { day: '2024-02-29' }],
    ['Count', '7', { n: 7 }],
    ['Count', '9007199254740993', { n: '9007199254740993' }],
    ['Weight', '1.5', { grams: 1.5 }],
    ['Flag', 'false', { on: false }],
    ['Level', 'easy', { level: 'easy' }],
    ['Step', '["soup",1]', { recipe: 'soup', number: 1 }],
  ])('so does a %s named %s, whatever the types of its key', async (type, name, props) => {
    await create(type, name);
    expect(await propsOf(name)).toEqual(props);
  });

  test.each([
    ['Count', '007', 'A Count is called by its key (n), which says "7".'],
    ['Step', '["soup", 1]', 'A Step is called by its key (recipe, number), which says "[\\"soup\\",1]".'],
    ['Count', 'seven', 'Count.n is required.'],
    ['Day', '2024-02-30', 'Day.day is required.'],
    ['Weight', '1 kg', 'Weight.grams is required.'],
    ['Flag', 'True', 'Flag.on is required.'],
  ])('a %s named %s has no key by that', async (type, name, message) => {
    await refused(create(type, name), expect.objectContaining({ message }));
  });

  test('a type that the schema has not is refused, and the one that was meant is named', async () => {
    await refused(create('recipe', 'x'), {
      path: 'recipe/x',
      message: 'The schema has no node "recipe". Did you mean "Recipe"?',
      hint: 'Use Recipe, or another of: Recipe, Cook, Step, Note, Day, Count, Weight, Flag, Level.',
    });
    await refused(create('__proto__', 'x'), { path: '__proto__/x' });
  });

  test('every problem of a batch is told, and nothing of it is written', async () => {
    await refused(
      graph.write(author, (tx) =>
        createNodesLenient(tx, [
          { type: 'Recipe', name: 'fine', observations: [] },
          { type: 'Nope', name: 'a', observations: [] },
          { type: 'Nope', name: 'b', observations: [] },
        ]),
      ),
      { path: 'Nope/a' },
      { path: 'Nope/b' },
    );
  });

  test('properties are held against their types, ranges, patterns and enums', async () => {
    await create('Recipe', 'r');
    await refused(set('r', { minutes: 601 }), { path: 'Recipe/r.minutes' });
    await refused(set('r', { minutes: '5' }), { path: 'Recipe/r.minutes' });
    await refused(set('r', { level: 'impossible' }), { path: 'Recipe/r.level' });
    await refused(set('r', { code: 'abc' }), { path: 'Recipe/r.code' });
    await refused(
      set('r', { flavour: 'x', constructor: 1 }),
      { path: 'Recipe/r.flavour' },
      { path: 'Recipe/r.constructor' },
    );
    await refused(set('r', { slug: 'other' }), { path: 'Recipe/r.slug' });
    await set('r', { minutes: 600, level: 'hard', code: 'ABC' });
    expect(await propsOf('r')).toEqual({ slug: 'r', minutes: 600, level: 'hard', code: 'ABC' });
  });

  test('a node with a composite key is called by it', async () => {
    await keyed('Step', '["carbonara",1]', { recipe: 'carbonara', number: 1 });
    await refused(keyed('Step', 'step two', { recipe: 'carbonara', number: 2 }), {
      path: 'Step/step two.recipe',
    });
    await refused(create('Step', 'x'), { path: 'Step/x.recipe' }, { path: 'Step/x.number' });
  });

  test('what has to be unique is, in the batch and over what is there', async () => {
    await keyed('Recipe', 'a', { code: 'A' });
    await refused(keyed('Recipe', 'b', { code: 'A' }), {
      path: 'Recipe/b.code',
      kind: 'unique',
      message: 'code has to be unique, and Recipe/a has "A" too.',
    });
    await refused(
      graph.write(author, async (tx) => {
        for (const name of ['c', 'd'])
          await createKeyedNode(tx, { type: 'Recipe', names: [name], props: { code: 'X' } });
      }),
      { path: 'Recipe/c.code' },
      { path: 'Recipe/d.code' },
    );
    await keyed('Recipe', 'b', {});
    await keyed('Recipe', 'c', {});
    await set('a', { code: 'B', minutes: 4 });
    await set('b', { code: 'A' });
  });

  test('a composite unique holds for the whole, and not where a member is missing', async () => {
    await keyed('Recipe', 'a', { shelf: 'top', box: 1 });
    await keyed('Recipe', 'b', { shelf: 'top', box: 2 });
    await keyed('Recipe', 'c', { shelf: 'top' });
    await keyed('Recipe', 'd', { shelf: 'top' });
    await refused(keyed('Recipe', 'e', { shelf: 'top', box: 2 }), { path: 'Recipe/e', kind: 'unique' });
    await refused(set('c', { box: 1 }), { path: 'Recipe/c', kind: 'unique' });
  });

  test('an edge joins the types it is declared for, and nodes that are there', async () => {
    await create('Recipe', 'carbonara');
    await create('Cook', 'ada');
    await refused(relate('ada', 'Wrote', 'carbonara'), {
      path: 'Wrote(ada -> carbonara)',
      message: 'Wrote leads from Recipe to Cook, not Cook -> Recipe.',
      hint: 'Turn it around: swap from and to.',
    });
    await refused(relate('carbonara', 'Wrote', 'nobody'), {
      message: 'There is no node named "nobody".',
    });
    await refused(relate('carbonara', 'wrote', 'ada'), { message: 'The schema calls it Wrote.' });
    await refused(relate('carbonara', 'Burnt', 'ada'), { path: 'Burnt(carbonara -> ada)' });
    await relate('carbonara', 'Wrote', 'ada');
  });

  test('an edge lacks a property that it must have', async () => {
    await create('Recipe', 'carbonara');
    await create('Cook', 'ada');
    await refused(relate('ada', 'Tried', 'carbonara'), { path: 'Tried(ada -> carbonara).stars' });
  });

  test('edges are unique by what they are declared to be', async () => {
    for (const name of ['a', 'b']) await create('Recipe', name);
    await create('Cook', 'ada');
    const tried = (to: string, on: string | null) =>
      graph.write(author, async (tx) => {
        const [from, end] = await Promise.all([tx.rows.nodesNamed(['ada']), tx.rows.nodesNamed([to])]);
        await tx.rows.putEdges([
          {
            ...{ from: from[0]?.id ?? 0, to: end[0]?.id ?? 0, fromName: 'ada', toName: to },
            ...{ type: 'Tried', key: '', props: { stars: 5, ...(on === null ? {} : { on }) } },
          },
        ]);
      });
    await tried('a', '2026-01-01');
    await refused(tried('b', '2026-01-01'), { path: 'Tried(ada -> b)', kind: 'unique' });
    await tried('b', '2026-01-02');
    await tried('a', null);
    await tried('b', null);
  });

  test('a node has as many edges of a type as it may', async () => {
    await create('Recipe', 'carbonara');
    for (const name of ['ada', 'bob']) await create('Cook', name);
    await relate('carbonara', 'Wrote', 'ada');
    await refused(relate('carbonara', 'Wrote', 'bob'), {
      path: 'Recipe/carbonara',
      kind: 'cardinality',
      message: 'It would have 2 Wrote; the schema wants at most 1.',
    });
  });

  test('a node that must have an edge is written with it, and does not lose it', async () => {
    await store.write({ graph: 'default' }, author, (writer) =>
      writer.setSchema(schema.replace('@card(0..1)', '@card(1..1)')),
    );
    await create('Cook', 'ada');
    await refused(create('Recipe', 'carbonara'), { path: 'Recipe/carbonara', kind: 'cardinality' });
    await graph.write(author, async (tx) => {
      await createNodesLenient(tx, [{ type: 'Recipe', name: 'carbonara', observations: [] }]);
      await createEdgesWithStubs(tx, [{ from: 'carbonara', type: 'Wrote', to: 'ada' }]);
    });
    await refused(
      graph.write(author, (tx) => deleteNodes(tx, ['ada'])),
      { path: 'Recipe/carbonara', kind: 'cardinality' },
    );
    await graph.write(author, (tx) => deleteNodes(tx, ['ada', 'carbonara']));
    expect(await names()).toEqual([]);
  });

  test('a node that gets another type takes its edges along only where they fit', async () => {
    await create('Recipe', 'carbonara');
    await create('Cook', 'ada');
    await relate('carbonara', 'Wrote', 'ada');
    const { updateNodes } = await import('../../src/engine/write/update-nodes.js');
    await refused(
      graph.write(author, (tx) => updateNodes(tx, [{ name: 'ada', type: 'Note' }])),
      { path: 'Note/ada.email' },
    );
    await create('Note', 'n');
    await graph.write(author, (tx) => updateNodes(tx, [{ name: 'n', type: 'Cook' }]));
    expect(await propsOf('n')).toEqual({ email: 'n' });
  });

  test('a branch is held to the schema it was forked with', async () => {
    await store.createBranch('default', 'try');
    await create('Cook', 'ada', [], on('try'));
    await expect(create('Nope', 'x', [], on('try'))).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
    expect(await names(on('try'))).toEqual(['ada']);
  });

  describe('merging', () => {
    const merge = (source: string, target = 'main', dryRun = false) =>
      mergeBranches(store, { graph: 'default', source, target, author, dryRun });

    test('two branches that each keep a value unique do not break that together', async () => {
      await store.createBranch('default', 'try');
      await keyed('Recipe', 'a', { code: 'A' });
      await keyed('Recipe', 'b', { code: 'A' }, on('try'));
      const conflict = {
        kind: 'unique_violation',
        id: 'node/Recipe/b',
        property: 'props.code',
        message: expect.stringContaining('Recipe/a has "A" too'),
      };
      expect(await merge('try', 'main', true)).toMatchObject({ outcome: 'merged', conflicts: [conflict] });
      await expect(merge('try')).rejects.toMatchObject({
        code: 'MERGE_CONFLICT',
        hint: expect.stringMatching(/fix one of the branches.* then merge again/),
        details: { conflicts: [conflict] },
      });
      expect(await names()).toEqual(['a']);
      await on('try').write(author, (tx) => deleteNodes(tx, ['b']));
      await keyed('Recipe', 'b', { code: 'B' }, on('try'));
      await merge('try');
      expect(await names()).toEqual(['a', 'b']);
    });

    test('nor the number of edges', async () => {
      await create('Recipe', 'r');
      for (const name of ['ada', 'bob']) await create('Cook', name);
      await store.createBranch('default', 'try');
      await relate('r', 'Wrote', 'ada');
      await relate('r', 'Wrote', 'bob', on('try'));
      await expect(merge('try')).rejects.toMatchObject({
        hint: expect.not.stringContaining('resolution'),
        details: { conflicts: [{ kind: 'cardinality_violation', id: 'node/Recipe/r' }] },
      });
    });

    test('what was written under an older schema is held against the target’s', async () => {
      await store.createBranch('default', 'try');
      await keyed('Recipe', 'r', { minutes: 500 }, on('try'));
      await store.write({ graph: 'default' }, author, (writer) =>
        writer.setSchema(schema.replace('1..600', '1..60')),
      );
      await expect(merge('try')).rejects.toMatchObject({
        details: {
          conflicts: [{ kind: 'value_constraint_violation', id: 'node/Recipe/r', property: 'props.minutes' }],
        },
      });
    });

    test('what a branch has written is renamed with what main has renamed', async () => {
      await store.createBranch('default', 'try');
      await keyed('Cook', 'ada', { born: '1815-12-10' }, on('try'));
      await create('Recipe', 'soup', [], on('try'));
      await relate('soup', 'Wrote', 'ada', on('try'));
      const { applyGraphSchema } = await import('../../src/schema/apply/apply-graph-schema.js');
      const source = schema
        .replaceAll('Cook', 'Chef')
        .replace('node Chef', 'node Chef @rename_from("Cook")')
        .replace('born: Date?', 'birthday: Date? @rename_from("born")');
      await applyGraphSchema({ commit: (work) => graph.commit(author, work) }, { source });
      await expect(merge('try')).rejects.toMatchObject({ code: 'MERGE_CONFLICT' });
      await merge('main', 'try');
      await merge('try');
      expect((await graph.read((reader) => reader.nodesNamed(['ada'])))[0]).toMatchObject({
        type: 'Chef',
        props: { email: 'ada', birthday: '1815-12-10' },
      });
      expect(await graph.read((reader) => reader.edges())).toHaveLength(1);
    });

    test('a branch that main is merged into gets its schema, if what it has fits', async () => {
      await store.createBranch('default', 'fits');
      await store.createBranch('default', 'does-not');
      await create('Note', 'n', [], on('does-not'));
      const newer = schema.replace('node Note { text: String? }', '');
      await store.write({ graph: 'default' }, author, (writer) => writer.setSchema(newer));
      await merge('main', 'fits');
      expect(await on('fits').read((reader) => reader.schema())).toBe(newer);
      await expect(create('Note', 'x', [], on('fits'))).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
      await expect(merge('main', 'does-not')).rejects.toMatchObject({
        details: { conflicts: [{ kind: 'value_constraint_violation', id: 'node/Note/n' }] },
      });
      expect(await on('does-not').read((reader) => reader.schema())).toBe(schema);
    });
  });

  describe('undo', () => {
    test('does not bring back what no longer fits', async () => {
      await keyed('Recipe', 'a', { code: 'A' });
      const { commit } = await graph.commit(author, (tx) => deleteNodes(tx, ['a']));
      await keyed('Recipe', 'b', { code: 'A' });
      await expect(
        undo(store, { graph: 'default', commits: [commit?.id ?? ''], author }),
      ).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
      expect(await names()).toEqual(['b']);
    });

    test('of a schema puts the one before it back, unless what was written since does not fit', async () => {
      const newer = `${schema} node Extra {}`;
      const { commit } = await store.write({ graph: 'default' }, author, (writer) => writer.setSchema(newer));
      const undoing = () => undo(store, { graph: 'default', commits: [commit?.id ?? ''], author });
      await create('Extra', 'x');
      await expect(undoing()).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
      expect(await graph.read((reader) => reader.schema())).toBe(newer);
      await graph.write(author, (tx) => deleteNodes(tx, ['x']));
      await undoing();
      expect(await graph.read((reader) => reader.schema())).toBe(schema);
    });
  });
});
