import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openInMemorySqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.js';
import { Graph } from './graph.js';
import { openNodes } from './read/open-nodes.js';
import { keepEdgesBetweenMatches } from './read/page-edges.js';
import { readGraph } from './read/read-graph.js';
import { withNeighbours } from './read/with-neighbours.js';
import type { Subgraph } from './specs.js';
import { createEdgesStrict } from './write/create-edges-strict.js';
import { createEdgesWithStubs } from './write/create-edges-with-stubs.js';
import { createNodesStrict } from './write/create-nodes-strict.js';
import { deleteNodes } from './write/delete-nodes.js';
import { type EdgeUpdateSpec, updateEdges } from './write/update-edges.js';
import { type NodeUpdateSpec, updateNodes } from './write/update-nodes.js';

const author = { actor: 'ann', tool: 'test' };
let store: SqliteStore;
let graph: Graph;

beforeEach(async () => {
  store = await openInMemorySqliteStore();
  await store.createGraph('default');
  graph = new Graph(store, 'default');
});
afterEach(() => store.close());

const node = (name: string, ...observations: string[]) => ({ type: 'person', name, observations });
const edge = (text: string, weight?: number) => {
  const [from = '', type = '', to = ''] = text.split(' ');
  return { from, type, to, ...(weight === undefined ? {} : { weight }) };
};
const add = (...nodes: ReturnType<typeof node>[]) =>
  graph.write(author, (tx) => createNodesStrict(tx, nodes));
const relate = (...edges: ReturnType<typeof edge>[]) =>
  graph.write(author, (tx) => createEdgesStrict(tx, edges));
const update = (...updates: NodeUpdateSpec[]) => graph.write(author, (tx) => updateNodes(tx, updates));
const move = (...updates: EdgeUpdateSpec[]) => graph.write(author, (tx) => updateEdges(tx, updates));
const commits = async () => (await store.commits({ graph: 'default' })).length;
const edges = (subgraph: Subgraph) =>
  subgraph.edges.map(({ fromName, type, toName, weight }) => `${fromName} ${type} ${toName} ${weight}`);
const all = () => graph.read((reader) => readGraph(reader));
const facts = async (name: string) =>
  (await graph.read((reader) => openNodes(reader, [name]))).nodes.flatMap((found) => [...found.facts]);
const ordinals = (name: string) =>
  graph.read(async (reader) =>
    (await reader.observationsNamed([name])).map(({ ordinal, text }) => `${ordinal} ${text}`),
  );

describe('adding nodes', () => {
  test('a name that exists refuses the whole batch', async () => {
    await add(node('Ann'));
    await expect(add(node('Bob'), node('Ann'))).rejects.toMatchObject({
      code: 'NODE_EXISTS',
      message: 'Node already exists: Ann. Consider updating existing node.',
    });
    expect((await all()).nodes).toHaveLength(1);
    expect(await commits()).toBe(1);
  });

  test('so does a name that comes twice', async () => {
    await expect(add(node('Ann'), node('Ann'))).rejects.toMatchObject({ code: 'NODE_EXISTS' });
    expect(await commits()).toBe(0);
  });

  test('a name that only an edge mentions is free', async () => {
    await add(node('Ann'));
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [edge('Ann knows Bob')]));
    await add(node('Bob'));
    expect((await all()).nodes.map((found) => found.node.name)).toEqual(['Ann', 'Bob']);
  });
});

describe('updating nodes', () => {
  test('replaces all facts; what stays keeps its ordinal, and a change takes the place of what it changes', async () => {
    await add(node('Ann', 'a', 'b', 'c'));
    await update({ name: 'Ann', facts: ['a', 'B', 'c', 'd'] });
    expect(await ordinals('Ann')).toEqual(['1 a', '2 B', '3 c', '4 d']);
    await update({ name: 'Ann', facts: ['a', 'd'] });
    expect(await ordinals('Ann')).toEqual(['1 a', '4 d']);
  });

  test('a fact that reads like a property stays that property; properties that are not listed go', async () => {
    await add(node('Ann', 'likes tea'));
    await graph.write(author, async ({ rows }) => {
      const [ann] = await rows.nodesNamed(['Ann']);
      if (ann !== undefined) await rows.putNodes([{ ...ann, props: { age: 30, role: 'Engineer' } }]);
    });
    const [answer] = await update({ name: 'Ann', facts: ['age: 30', 'likes coffee'] });
    expect(answer?.observations).toEqual(['likes coffee', 'age: 30']);
    expect((await all()).nodes[0]?.node.props).toEqual({ age: 30 });
    expect(await facts('Ann')).toEqual(['likes coffee', 'age: 30']);
  });

  test('a type change keeps node, edges, order and time of creation', async () => {
    await add(node('Ann', 'a'), node('Bob'));
    await relate(edge('Ann knows Bob', 0.5));
    const before = (await all()).nodes[0]?.node;
    await update({ name: 'Ann', type: 'robot' });
    const after = await all();
    const { id, order, createdAt } = before ?? {};
    expect(after.nodes[0]).toMatchObject({ facts: ['a'], node: { type: 'robot', id, order, createdAt } });
    expect(edges(after)).toEqual(['Ann knows Bob 0.5']);
  });

  test('a type the name had before in another node takes over its facts and edges', async () => {
    await add({ ...node('Ann', 'old'), type: 'robot' });
    await graph.write(author, (tx) => deleteNodes(tx, ['Ann']));
    await add(node('Ann', 'a', 'b'), node('Bob'));
    await relate(edge('Ann knows Bob', 0.5), edge('Ann knows Ann'));
    const order = (await all()).nodes[0]?.node.order;
    await update({ name: 'Ann', type: 'robot', facts: ['a', 'c'] });
    const after = await all();
    expect(after.nodes.map((found) => [found.node.name, found.node.type])).toEqual([
      ['Ann', 'robot'],
      ['Bob', 'person'],
    ]);
    expect(after.nodes[0]?.node.order).toEqual(order);
    expect(await ordinals('Ann')).toEqual(['2 a', '3 c']);
    expect(edges(after)).toEqual(['Ann knows Bob 0.5', 'Ann knows Ann 1']);
  });

  test('an unknown name refuses the batch, and an update that changes nothing makes no commit', async () => {
    await add(node('Ann', 'a'));
    await expect(update({ name: 'Ann', facts: [] }, { name: 'Zed', facts: [] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Node not found: Zed',
    });
    await update({ name: 'Ann', facts: ['a'], type: 'person' }, { name: 'Ann' });
    expect(await commits()).toBe(1);
  });

  test('of several updates of one node the last word counts', async () => {
    await add(node('Ann', 'a'));
    await update({ name: 'Ann', facts: ['b'], type: 'robot' }, { name: 'Ann', facts: ['c'] });
    expect((await all()).nodes).toMatchObject([{ node: { type: 'robot' }, facts: ['c'] }]);
  });
});

describe('adding edges', () => {
  beforeEach(() => add(node('Ann'), node('Bob'), node('Cat')));

  test('stores the weight, by default 1', async () => {
    await relate(edge('Ann knows Bob'), edge('Bob knows Ann', 0.25));
    expect(edges(await all())).toEqual(['Ann knows Bob 1', 'Bob knows Ann 0.25']);
  });

  test.each([
    ['Ann knows Zed', undefined, 'Node not found: Zed'],
    ['Zed knows Ann', undefined, 'Node not found: Zed'],
    ['Ann knows Cat', undefined, 'Edge already exists: Ann -> Cat (knows)'],
    ['Ann knows Bob', 1.5, 'Edge weight must be between 0 and 1'],
    ['Ann knows Bob', Number.NaN, 'Edge weight must be between 0 and 1'],
  ])('%s with weight %s is refused: %s', async (text, weight, message) => {
    await relate(edge('Ann knows Cat'));
    const before = await commits();
    await expect(relate(edge('Cat knows Bob'), edge(text, weight))).rejects.toMatchObject({ message });
    expect(await commits()).toBe(before);
  });

  test('a name that only an edge mentions is no node', async () => {
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [edge('Ann knows Zed')]));
    await expect(relate(edge('Bob knows Zed'))).rejects.toMatchObject({ message: 'Node not found: Zed' });
  });
});

describe('updating edges', () => {
  beforeEach(async () => {
    await add(node('Ann'), node('Bob'), node('Cat'));
    await relate(edge('Ann knows Bob', 0.8), edge('Bob knows Cat'));
  });

  test('averages the weight, again for each piece of evidence', async () => {
    const knows = edge('Ann knows Bob');
    const [answer] = await move({ ...knows, weight: 0.6 }, { ...knows, weight: 0.1 });
    expect(answer?.weight).toBeCloseTo(0.4);
    expect(await commits()).toBe(3);
  });

  test('moves an edge, with its weight, properties and place in the order', async () => {
    await move({ ...edge('Ann knows Bob'), newFrom: 'Cat', newTo: 'Ann', newType: 'likes', weight: 1 });
    expect(edges(await all())).toEqual(['Cat likes Ann 0.9', 'Bob knows Cat 1']);
  });

  test('a later update finds an edge where an earlier one moved it to, and it may move back', async () => {
    await move({ ...edge('Ann knows Bob'), newTo: 'Cat' }, { ...edge('Ann knows Cat'), newTo: 'Bob' });
    expect(await commits()).toBe(2);
  });

  test.each([
    [{ ...edge('Ann likes Bob'), weight: 1 }, 'Edge not found: Ann -> Bob (likes)'],
    [{ ...edge('Ann knows Bob'), newTo: 'Zed' }, 'Node not found: Zed'],
    [{ ...edge('Ann knows Bob'), newFrom: 'Bob', newTo: 'Cat' }, 'Edge already exists: Bob -> Cat (knows)'],
    [{ ...edge('Ann knows Bob'), weight: -0.1 }, 'Edge weight must be between 0 and 1'],
  ])('%j is refused: %s', async (wrong, message) => {
    await expect(move({ ...edge('Bob knows Cat'), weight: 0 }, wrong)).rejects.toMatchObject({ message });
    expect(edges(await all())).toEqual(['Ann knows Bob 0.8', 'Bob knows Cat 1']);
  });
});

describe('neighbours', () => {
  beforeEach(async () => {
    await add(node('Ann'), node('Bob'), node('Cat'));
    await relate(edge('Bob knows Cat'), edge('Ann knows Bob'));
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [edge('Ann knows Zed')]));
  });

  test('come after the matches; edges touch a match, and both ends are there', async () => {
    const found = await graph.read(async (reader) =>
      withNeighbours(reader, await openNodes(reader, ['Ann'])),
    );
    expect(found.nodes.map(({ node: { name } }) => name)).toEqual(['Ann', 'Bob']);
    expect(edges(found)).toEqual(['Ann knows Bob 1']);
    expect(found.matches).toBe(1);
  });

  test('can be left out, and then the edges are those between the matches', async () => {
    const found = await graph.read(async (reader) =>
      keepEdgesBetweenMatches(reader, await openNodes(reader, ['Bob', 'Cat']), async () => []),
    );
    expect(edges(found)).toEqual(['Bob knows Cat 1']);
  });

  test('pages of the graph have each edge once, when both its ends have been seen', async () => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await graph.read(async (reader) =>
        keepEdgesBetweenMatches(reader, await readGraph(reader, { limit: 1, cursor })),
      );
      pages.push(edges(page));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual([[], ['Ann knows Bob 1'], ['Bob knows Cat 1']]);
    expect(
      edges(await graph.read(async (reader) => keepEdgesBetweenMatches(reader, await readGraph(reader)))),
    ).toEqual(['Bob knows Cat 1', 'Ann knows Bob 1']);
  });
});
