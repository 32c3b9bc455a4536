import { beforeEach, describe, expect, test } from 'vitest';
import { openInMemorySqliteStore } from '../../store/sqlite/sqlite-store.js';
import type { Store } from '../../store/store-contract.js';
import { Graph } from '../graph.js';
import { openNodes } from '../read/open-nodes.js';
import { readGraph } from '../read/read-graph.js';
import { type ImportBatch, importRecords } from './import-records.js';

const author = { actor: 'test', tool: 'import' };
const ann = {
  name: 'Ann',
  type: 'person',
  observations: ['a', 'a'],
  summary: 'S',
  tags: ['t'],
  props: { age: 40 },
};
const likes = { from: 'Ann', to: 'Tea', type: 'likes', weight: 0.25, props: { since: 'May' } };

describe('importRecords', () => {
  let store: Store;
  let graph: Graph;
  beforeEach(async () => {
    store = await openInMemorySqliteStore();
    await store.createGraph('default');
    graph = new Graph(store, 'default');
    return () => store.close();
  });
  const load = (batch: ImportBatch) => graph.write(author, (tx) => importRecords(tx, batch));
  const open = (name: string) => graph.read((reader) => openNodes(reader, [name]));

  test('brings in nodes and edges with all they say', async () => {
    expect(await load({ nodes: [ann], edges: [likes] })).toMatchObject({ nodesCreated: 1, edgesCreated: 1 });
    const { nodes, edges } = await open('Ann');
    expect(nodes[0]?.node).toMatchObject({ type: 'person', summary: 'S', tags: ['t'], props: { age: 40 } });
    expect(nodes[0]?.facts).toEqual(['a', 'a', 'age: 40']);
    expect(edges).toMatchObject([{ fromName: 'Ann', toName: 'Tea', weight: 0.25, props: { since: 'May' } }]);
  });

  test('brings in where nodes and edges came from', async () => {
    const provenance = { source: 'a letter', confidence: 0.5 };
    await load({ nodes: [{ ...ann, provenance }], edges: [{ ...likes, provenance }] });
    const { nodes, edges } = await open('Ann');
    expect(nodes[0]?.node.provenance).toEqual(provenance);
    expect(edges[0]?.provenance).toEqual(provenance);
  });

  test('an origin marks what a record adds, and nothing that was there', async () => {
    const origin = { source: 'people.csv:2' };
    const mine = { name: 'Ann', type: 'person', observations: ['mine'] };
    await load({ nodes: [mine], edges: [] });
    const bob = { name: 'Bob', type: 'person', observations: ['b'], props: { age: 5 }, origin };
    const sourced = { name: 'Cy', type: 'person', observations: [], props: { source: 'a letter' }, origin };
    await load({ nodes: [{ ...ann, origin }, bob, sourced], edges: [] });
    const { nodes } = await graph.read((reader) => openNodes(reader, ['Ann', 'Bob', 'Cy']));
    expect(nodes.map(({ node }) => node.provenance)).toEqual([
      { properties: { age: origin } },
      origin,
      // A stamp would hide the property of the same name.
      { properties: { source: origin } },
    ]);
    const ids = nodes.map(({ node }) => node.id);
    const facts = await graph.read((reader) => reader.observationsOf(ids));
    expect(facts.map(({ text, provenance }) => [text, provenance])).toEqual([
      ['mine', null],
      ['a', origin],
      ['b', origin],
    ]);
  });

  test('an edge that comes twice in one batch is as its first record says', async () => {
    const again = { ...likes, weight: 1, props: { since: 'June' } };
    expect(await load({ nodes: [], edges: [likes, again] })).toMatchObject({
      edgesCreated: 1,
      edgesUnchanged: 1,
    });
    expect((await graph.read((reader) => readGraph(reader))).edges).toMatchObject([
      { weight: 0.25, props: { since: 'May' } },
    ]);
  });

  test('brings in names and types that are empty, as the reference server writes them', async () => {
    const unnamed = { name: '', type: 'person', observations: ['a', ''] };
    const untyped = { name: 'Ann', type: '', observations: ['b'] };
    const edges = [
      { from: 'Ann', to: '', type: '' },
      { from: '', to: 'nobody', type: 'knows' },
    ];
    expect(await load({ nodes: [], edges })).toMatchObject({ edgesCreated: 2 });
    expect(await load({ nodes: [unnamed, untyped], edges })).toMatchObject({
      nodesCreated: 2,
      edgesUnchanged: 2,
    });
    expect(await load({ nodes: [unnamed, untyped], edges })).toMatchObject({ nodesUnchanged: 2 });
    const graphNow = await graph.read((reader) => readGraph(reader));
    expect(graphNow.nodes.map(({ node, facts }) => [node.name, node.type, facts])).toEqual([
      ['', 'person', ['a', '']],
      ['Ann', '', ['b']],
    ]);
    expect(graphNow.edges.map(({ fromName, type, toName }) => [fromName, type, toName])).toEqual([
      ['Ann', '', ''],
      ['', 'knows', 'nobody'],
    ]);
  });

  test('edges that only their keys tell apart are all brought in', async () => {
    const edges = ['', 'May', 'June'].map((key) => ({ ...likes, key, props: { month: key } }));
    expect(await load({ nodes: [ann], edges })).toMatchObject({ edgesCreated: 3, edgesUnchanged: 0 });
    expect(await load({ nodes: [ann], edges })).toMatchObject({ edgesCreated: 0, edgesUnchanged: 3 });
    const found = (await open('Ann')).edges.map(({ key, props }) => [key, props]);
    expect(found).toEqual(edges.map(({ key, props }) => [key, props]));
  });

  test('a second time changes nothing and makes no commit', async () => {
    await load({ nodes: [ann], edges: [likes] });
    const commits = await store.commits({ graph: 'default' });
    expect(await load({ nodes: [ann], edges: [likes] })).toEqual({
      nodesCreated: 0,
      nodesMerged: 0,
      nodesUnchanged: 1,
      observationsAdded: 0,
      edgesCreated: 0,
      edgesUnchanged: 1,
    });
    expect(await store.commits({ graph: 'default' })).toEqual(commits);
  });

  test('a node that is there keeps what it has and gets what it lacks', async () => {
    await load({ nodes: [{ name: 'Ann', type: 'human', observations: ['b'], summary: 'Mine' }], edges: [] });
    expect(await load({ nodes: [ann], edges: [] })).toMatchObject({ nodesMerged: 1, observationsAdded: 1 });
    const { nodes } = await open('Ann');
    expect(nodes[0]?.node).toMatchObject({ type: 'human', summary: 'Mine', tags: ['t'], props: { age: 40 } });
    expect(nodes[0]?.facts).toEqual(['b', 'a', 'age: 40']);
  });

  test('an edge that is there keeps its weight', async () => {
    await load({ nodes: [], edges: [likes] });
    expect(await load({ nodes: [], edges: [{ ...likes, weight: 1 }] })).toMatchObject({ edgesUnchanged: 1 });
    expect((await graph.read((reader) => readGraph(reader))).edges[0]?.weight).toBe(0.25);
  });

  test('a name that comes twice in one batch is one node with the observations of both', async () => {
    const counts = await load({ nodes: [ann, { ...ann, observations: ['a', 'c'] }], edges: [] });
    expect(counts).toMatchObject({ nodesCreated: 1, nodesMerged: 1, observationsAdded: 1 });
    expect((await open('Ann')).nodes[0]?.facts).toEqual(['a', 'a', 'c', 'age: 40']);
  });

  test('one record that cannot be stored fails the batch', async () => {
    await expect(load({ nodes: [ann], edges: [{ ...likes, weight: 2 }] })).rejects.toThrow('between 0 and 1');
    expect((await graph.read((reader) => readGraph(reader))).nodes).toEqual([]);
  });
});
