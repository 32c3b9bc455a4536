import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openInMemorySqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.js';
import { Graph } from './graph.js';
import { openNodes } from './read/open-nodes.js';
import { readGraph } from './read/read-graph.js';
import { searchSubstring } from './read/search-substring.js';
import type { Subgraph } from './specs.js';
import { addObservationsStrict } from './write/add-observations-strict.js';
import { createEdgesWithStubs } from './write/create-edges-with-stubs.js';
import { createNodesLenient } from './write/create-nodes-lenient.js';
import { deleteEdges } from './write/delete-edges.js';
import { deleteNodes } from './write/delete-nodes.js';
import { deleteObservations } from './write/delete-observations.js';

const author = { actor: 'ann', tool: 'test' };
let store: SqliteStore;
let graph: Graph;
let reported: unknown[];

beforeEach(async () => {
  store = await openInMemorySqliteStore();
  await store.createGraph('default');
  reported = [];
  graph = new Graph(store, 'default', { report: (error) => reported.push(error) });
});
afterEach(() => store.close());

const create = (...names: string[]) =>
  graph.write(author, (tx) =>
    createNodesLenient(
      tx,
      names.map((name) => ({ type: 'person', name, observations: [] })),
    ),
  );
const relate = (...triples: string[]) =>
  graph.write(author, (tx) => createEdgesWithStubs(tx, triples.map(triple)));
const triple = (text: string) => {
  const [from = '', type = '', to = ''] = text.split(' ');
  return { from, type, to };
};
const names = ({ nodes }: Subgraph) => nodes.map(({ node }) => node.name);
const edges = (subgraph: Subgraph) =>
  subgraph.edges.map((edge) => `${edge.fromName} ${edge.type} ${edge.toName}`);
const stubs = () => graph.read(async (reader) => (await reader.stubs()).map((stub) => stub.name));
const all = () => graph.read((reader) => readGraph(reader));

/** Puts properties on a node, as the gate will. */
const setProps = (name: string, props: Record<string, string | number>) =>
  graph.write(author, async ({ rows }) => {
    const nodes = await rows.nodesNamed([name]);
    await rows.putNodes(nodes.map((node) => ({ ...node, props })));
  });

describe('stubs', () => {
  test('an end that is no node becomes a stub, which is not listed', async () => {
    await create('Ann');
    await relate('Ann knows Bob');
    expect(names(await all())).toEqual(['Ann']);
    expect(edges(await all())).toEqual(['Ann knows Bob']);
    expect(await stubs()).toEqual(['Bob']);
  });

  test('the first create of its name claims a stub, whatever the type, and goes to the end of the order', async () => {
    await relate('Ann knows Bob');
    await create('Zoe');
    await graph.write(author, (tx) =>
      createNodesLenient(tx, [{ type: 'robot', name: 'Bob', observations: ['beeps'] }]),
    );
    expect(names(await all())).toEqual(['Zoe', 'Bob']);
    expect(edges(await all())).toEqual(['Ann knows Bob']);
    expect(await stubs()).toEqual(['Ann']);
  });

  test('a stub that turns out to be a node of old gives it its edges', async () => {
    await graph.write(author, (tx) =>
      createNodesLenient(tx, [{ type: 'robot', name: 'Bob', observations: [] }]),
    );
    await graph.write(author, (tx) => deleteNodes(tx, ['Bob']));
    await graph.write(author, (tx) =>
      createNodesLenient(tx, [{ type: 'person', name: 'Bob', observations: [] }]),
    );
    await graph.write(author, (tx) => deleteNodes(tx, ['Bob']));
    await relate('Ann knows Bob', 'Bob likes Bob');
    // The stub took the node the name last meant, the person; the robot is another one.
    await graph.write(author, (tx) =>
      createNodesLenient(tx, [{ type: 'robot', name: 'Bob', observations: [] }]),
    );
    expect(edges(await graph.read((reader) => openNodes(reader, ['Bob'])))).toEqual([
      'Ann knows Bob',
      'Bob likes Bob',
    ]);
    expect(await stubs()).toEqual(['Ann']);
  });

  test('a stub goes with its last edge', async () => {
    await create('Ann');
    await relate('Ann knows Bob', 'Ann likes Bob');
    await graph.write(author, (tx) => deleteEdges(tx, [triple('Ann knows Bob')]));
    expect(await stubs()).toEqual(['Bob']);
    await graph.write(author, (tx) => deleteNodes(tx, ['Ann']));
    expect(await stubs()).toEqual([]);
  });

  test('deleting by the name of a stub deletes the edges that name it', async () => {
    await relate('Ann knows Bob', 'Ann knows Eve');
    expect(await graph.write(author, (tx) => deleteNodes(tx, ['Bob']))).toEqual({
      deleted: ['Bob'],
      notFound: [],
    });
    expect(edges(await all())).toEqual(['Ann knows Eve']);
    expect(await stubs()).toEqual(['Ann', 'Eve']);
  });
});

describe('properties on the string surfaces', () => {
  beforeEach(async () => {
    await create('Ann');
    await graph.write(author, (tx) => addObservationsStrict(tx, [{ name: 'Ann', texts: ['likes tea'] }]));
    await setProps('Ann', { role: 'Engineer', age: 30 });
  });

  const facts = async () => (await all()).nodes.flatMap((node) => node.facts);

  test('are shown after the observations, and found by search', async () => {
    expect(await facts()).toEqual(['likes tea', 'role: Engineer', 'age: 30']);
    expect(names(await graph.read((reader) => searchSubstring(reader, 'ROLE: eng')))).toEqual(['Ann']);
  });

  test('a written string equal to a rendered property is that property', async () => {
    const added = await graph.write(author, (tx) =>
      addObservationsStrict(tx, [{ name: 'Ann', texts: ['role: Engineer', 'new'] }]),
    );
    expect(added).toEqual([{ name: 'Ann', texts: ['new'] }]);
  });

  test('deleting it removes the property', async () => {
    const deleted = await graph.write(author, (tx) =>
      deleteObservations(tx, [{ name: 'Ann', texts: ['age: 30', 'never said'] }]),
    );
    expect(deleted).toEqual({
      asked: 2,
      deleted: 1,
      nodesNotFound: [],
      items: [{ name: 'Ann', texts: ['age: 30'] }],
    });
    expect(await facts()).toEqual(['likes tea', 'role: Engineer']);
  });
});

describe('names borne by several nodes', () => {
  beforeEach(() =>
    graph.write(author, async ({ rows }) => {
      const identities = await rows.addIdentities([
        { type: 'city', name: 'Paris' },
        { type: 'person', name: 'Paris' },
      ]);
      await rows.putNodes(identities.map(({ type, name, node }) => ({ id: node, type, name })));
    }),
  );

  test('a read returns all of them', async () => {
    expect(names(await graph.read((reader) => openNodes(reader, ['Paris'])))).toEqual(['Paris', 'Paris']);
  });

  test('a create counts any of them as existing', async () => {
    expect((await create('Paris')).skipped).toEqual(['Paris']);
  });

  test.each([
    [
      'add observations',
      () => graph.write(author, (tx) => addObservationsStrict(tx, [{ name: 'Paris', texts: ['x'] }])),
    ],
    ['delete', () => graph.write(author, (tx) => deleteNodes(tx, ['Paris']))],
    ['relate', () => relate('Paris knows Ann')],
  ])('a write that must mean one fails: %s', async (_, write) => {
    const before = await store.commits({ graph: 'default' });
    await expect(write()).rejects.toMatchObject({ code: 'AMBIGUOUS_NAME' });
    expect(await store.commits({ graph: 'default' })).toEqual(before);
  });
});

describe('events', () => {
  test('before listeners hear of a write and may stop it, leaving nothing', async () => {
    graph.events.before('createNodes', ({ nodes }) => {
      if (nodes.some((node) => node.name === 'Eve')) throw new Error('not her');
    });
    await create('Ann');
    await expect(create('Bob', 'Eve')).rejects.toThrow('not her');
    expect(names(await all())).toEqual(['Ann']);
  });

  test('after listeners hear of what is durable, with its commit; what they throw undoes nothing', async () => {
    const heard: unknown[] = [];
    graph.events.after('createNodes', ({ nodes }, commit) => heard.push([nodes.length, commit.tool]));
    graph.events.after('createNodes', () => {
      throw new Error('listener');
    });
    graph.events.onCommit((commit) => heard.push(commit.counts.nodesCreated));
    await create('Ann', 'Bob');
    expect(heard).toEqual([[2, 'test'], 2]);
    expect(reported).toHaveLength(1);
    expect(names(await all())).toEqual(['Ann', 'Bob']);
  });

  test('a write that fails or changes nothing has no after event', async () => {
    const heard: unknown[] = [];
    await create('Ann');
    graph.events.onCommit((commit) => heard.push(commit));
    await create('Ann');
    await expect(
      graph.write(author, (tx) => addObservationsStrict(tx, [{ name: 'Nobody', texts: ['x'] }])),
    ).rejects.toThrow();
    expect(heard).toEqual([]);
  });

  test('a listener that was taken off hears no more', async () => {
    const heard: unknown[] = [];
    const off = graph.events.after('createNodes', (event) => heard.push(event));
    off();
    await create('Ann');
    expect(heard).toEqual([]);
  });
});

test('a batch with one bad item changes nothing, whichever item it is', async () => {
  const specs = ['Ann', 'bad\0name', 'Bob'].map((name) => ({ type: 'person', name, observations: [] }));
  await expect(graph.write(author, (tx) => createNodesLenient(tx, specs))).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  await create('Ann');
  const items = [
    { name: 'Ann', texts: ['kept?'] },
    { name: 'Nobody', texts: ['x'] },
  ];
  await expect(graph.write(author, (tx) => addObservationsStrict(tx, items))).rejects.toThrow(
    'Entity with name Nobody not found',
  );
  expect((await all()).nodes.flatMap((node) => node.facts)).toEqual([]);
});

test('substring search is JavaScript’s own, for any text and any query', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', 'İ', 'ß', 'Σ', 'ς', '日', '🧠', '"', '*', ' ', '-', '%'),
  });
  const stated = text.filter((value) => value.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(stated, { maxLength: 6 }), text, async (texts, query) => {
      const fresh = await openInMemorySqliteStore();
      await fresh.createGraph('default');
      const own = new Graph(fresh, 'default');
      await own.write(author, (tx) =>
        createNodesLenient(
          tx,
          texts.map((observation, index) => ({
            type: 't',
            name: `node ${index}`,
            observations: [observation],
          })),
        ),
      );
      const expected = texts.flatMap((observation, index) =>
        [`node ${index}`, 't', observation].some((field) => field.toLowerCase().includes(query.toLowerCase()))
          ? [`node ${index}`]
          : [],
      );
      expect(names(await own.read((reader) => searchSubstring(reader, query)))).toEqual(expected);
      await fresh.close();
    }),
    { numRuns: 60 },
  );
});
