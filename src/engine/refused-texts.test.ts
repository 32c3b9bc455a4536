import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../model/limits.js';
import { openInMemorySqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.js';
import { Graph, type Transaction } from './graph.js';
import { addObservationsLenient } from './write/add-observations-lenient.js';
import { addObservationsStrict } from './write/add-observations-strict.js';
import { createEdgesLenient } from './write/create-edges-lenient.js';
import { createEdgesStrict } from './write/create-edges-strict.js';
import { createEdgesWithStubs } from './write/create-edges-with-stubs.js';
import { createKeyedNode } from './write/create-keyed-node.js';
import { createNodesLenient } from './write/create-nodes-lenient.js';
import { createNodesOnConflict } from './write/create-nodes-on-conflict.js';
import { createNodesStrict } from './write/create-nodes-strict.js';
import { importRecords } from './write/import-records.js';
import { replaceObservation } from './write/replace-observation.js';
import { retypeEdge } from './write/retype-edge.js';
import { setSummary } from './write/set-summary.js';
import { setTags } from './write/set-tags.js';
import { updateEdges } from './write/update-edges.js';
import { updateNodes } from './write/update-nodes.js';

type Write = (tx: Transaction, text: string) => Promise<unknown>;

const node = { type: 'person', name: 'New', observations: [] };
const edge = { from: 'Ann', to: 'Bob', type: 'likes' };
const knows = { from: 'Ann', to: 'Bob', type: 'knows' };

/** Every way in for a fact, which may be long. */
const facts: [string, Write][] = [
  ['createNodes', (tx, text) => createNodesLenient(tx, [{ ...node, observations: ['good', text] }])],
  ['addNodes', (tx, text) => createNodesStrict(tx, [{ ...node, observations: ['good', text] }])],
  [
    'createDescribedNodes',
    (tx, text) => createNodesOnConflict(tx, [{ ...node, observations: [text] }], 'skip'),
  ],
  [
    'createDescribedNodes, a summary',
    (tx, text) => createNodesOnConflict(tx, [{ ...node, summary: text }], 'skip'),
  ],
  ['addObservations', (tx, text) => addObservationsStrict(tx, [{ name: 'Ann', texts: ['good', text] }])],
  ['appendObservations', (tx, text) => addObservationsLenient(tx, [{ name: 'Ann', texts: ['good', text] }])],
  ['replaceObservation', (tx, text) => replaceObservation(tx, { name: 'Ann' }, 1, text)],
  ['setSummary', (tx, text) => setSummary(tx, { name: 'Ann' }, text)],
  ['updateNodes', (tx, text) => updateNodes(tx, [{ name: 'Ann', facts: ['good', text] }])],
  [
    'importRecords',
    (tx, text) => importRecords(tx, { nodes: [{ ...node, observations: [text] }], edges: [] }),
  ],
  [
    'importRecords, a summary',
    (tx, text) => importRecords(tx, { nodes: [{ ...node, summary: text }], edges: [] }),
  ],
  // A file may say what the tools would not take.
  ['importRecords, a tag', (tx, tag) => importRecords(tx, { nodes: [{ ...node, tags: [tag] }], edges: [] })],
];

/** Every way in for a name, a type or a tag. */
const names: [string, Write][] = [
  ['createNodes, a name', (tx, name) => createNodesLenient(tx, [{ ...node, name }])],
  ['createNodes, a type', (tx, type) => createNodesLenient(tx, [{ ...node, type }])],
  ['addNodes, a name', (tx, name) => createNodesStrict(tx, [{ ...node, name }])],
  ['addNodes, a type', (tx, type) => createNodesStrict(tx, [{ ...node, type }])],
  ['createDescribedNodes, a name', (tx, name) => createNodesOnConflict(tx, [{ ...node, name }], 'skip')],
  ['createDescribedNodes, a type', (tx, type) => createNodesOnConflict(tx, [{ ...node, type }], 'skip')],
  ['createDescribedNodes, a tag', (tx, tag) => createNodesOnConflict(tx, [{ ...node, tags: [tag] }], 'skip')],
  ['createKeyedNode, a name', (tx, name) => createKeyedNode(tx, { type: 'x', names: [name], props: {} })],
  ['createKeyedNode, a type', (tx, type) => createKeyedNode(tx, { type, names: ['New'], props: {} })],
  ['updateNodes, a type', (tx, type) => updateNodes(tx, [{ name: 'Ann', type }])],
  ['setTags', (tx, tag) => setTags(tx, { name: 'Ann' }, ['good', tag])],
  ['createEdges, an end', (tx, to) => createEdgesWithStubs(tx, [{ ...edge, to }])],
  ['createEdges, a start', (tx, from) => createEdgesWithStubs(tx, [{ ...edge, from }])],
  ['createEdges, a type', (tx, type) => createEdgesWithStubs(tx, [{ ...edge, type }])],
  ['addEdges, a type', (tx, type) => createEdgesStrict(tx, [{ ...edge, type }])],
  ['relateNodes, a type', (tx, type) => createEdgesLenient(tx, [{ ...edge, type }])],
  ['retypeEdge', (tx, type) => retypeEdge(tx, knows, type)],
  ['updateEdges, a type', (tx, newType) => updateEdges(tx, [{ ...knows, newType }])],
  ['importRecords, a name', (tx, name) => importRecords(tx, { nodes: [{ ...node, name }], edges: [] })],
  ['importRecords, a type', (tx, type) => importRecords(tx, { nodes: [{ ...node, type }], edges: [] })],
  ['importRecords, an end', (tx, to) => importRecords(tx, { nodes: [], edges: [{ ...edge, to }] })],
  ['importRecords, a start', (tx, from) => importRecords(tx, { nodes: [], edges: [{ ...edge, from }] })],
  [
    'importRecords, the type of an edge',
    (tx, type) => importRecords(tx, { nodes: [], edges: [{ ...edge, type }] }),
  ],
  [
    'importRecords, the key of an edge',
    (tx, key) => importRecords(tx, { nodes: [], edges: [{ ...edge, key }] }),
  ],
];

const longFact = 'x'.repeat(limits.textLength + 1);
const longName = 'x'.repeat(limits.nameLength + 1);

let store: SqliteStore;
let graph: Graph;
beforeEach(async () => {
  store = await openInMemorySqliteStore();
  await store.createGraph('default');
  graph = new Graph(store, 'default');
  await write(async (tx) => {
    await createNodesLenient(tx, [
      { type: 'person', name: 'Ann', observations: ['one'] },
      { type: 'person', name: 'Bob', observations: [] },
    ]);
    await createEdgesWithStubs(tx, [knows]);
  });
});
afterEach(() => store.close());

const write = <T>(work: (tx: Transaction) => Promise<T>) => graph.write({ actor: 'ann', tool: 'test' }, work);

async function refuses(act: Write, text: string, code: string): Promise<void> {
  const before = await store.commits({ graph: 'default' });
  await expect(write((tx) => act(tx, text))).rejects.toMatchObject({ code });
  expect(await store.commits({ graph: 'default' })).toEqual(before);
}

describe.each([...facts, ...names])('%s', (_, act) => {
  test.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800'],
  ])('refuses %s, which databases would mangle, and changes nothing', (_, text) =>
    refuses(act, text, 'INVALID_ARGUMENT'),
  );
});

test.each(facts)('%s refuses a fact that is too long', (_, act) => refuses(act, longFact, 'LIMIT_EXCEEDED'));

test.each(names)('%s may not be too long', (_, act) => refuses(act, longName, 'LIMIT_EXCEEDED'));
