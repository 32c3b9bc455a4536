import { afterEach, beforeEach, expect, test } from 'vitest';
import { runIngest } from '../../ingest/run-ingest.js';
import { openInMemorySqliteStore } from '../../store/sqlite/sqlite-store.js';
import type { Store } from '../../store/store-contract.js';
import { Graph, type Transaction } from '../graph.js';
import { createEdgesWithStubs } from './create-edges-with-stubs.js';
import { createNodesLenient } from './create-nodes-lenient.js';
import { updateNode } from './edit/update-node.js';

const author = { actor: 'ann', tool: 'test' };

let store: Store;
let graph: Graph;
beforeEach(async () => {
  store = await openInMemorySqliteStore();
  await store.createGraph('default');
  graph = new Graph(store, 'default');
  await create('Ada', 'one');
  await rename('Ada', 'Lovelace');
});
afterEach(() => store.close());

const write = (work: (tx: Transaction) => Promise<unknown>) => graph.write(author, work);
const create = (name: string, ...observations: string[]) =>
  write((tx) => createNodesLenient(tx, [{ name, type: 'thing', observations }]));
const rename = (from: string, to: string) =>
  write(async (tx) => {
    for (const node of await tx.rows.nodesNamed([from])) await updateNode(tx, node, { name: to });
  });
const ingest = (line: object) =>
  runIngest(
    { commit: (work, options) => graph.commit(author, work, options) },
    [Buffer.from(JSON.stringify(line))],
    {
      ...{ mode: 'merge', maxBytes: 1_000 },
    },
  );

test.each([
  ['a new node', () => create('Ada', 'two')],
  [
    'the end of an edge',
    () => write((tx) => createEdgesWithStubs(tx, [{ from: 'Grace', to: 'Ada', type: 'knows' }])),
  ],
  ['a node that is ingested', () => ingest({ type: 'thing', data: { name: 'Ada' } })],
  [
    'another node that is renamed',
    async () => {
      await create('Grace');
      await rename('Grace', 'Ada');
    },
  ],
])('an earlier name of a node does not replace it by %s', async (_, act) => {
  await expect(act()).rejects.toMatchObject({
    code: 'NODE_EXISTS',
    details: { name: 'Ada', now: 'Lovelace' },
  });
  const found = await graph.read(async (reader) => {
    const nodes = await reader.nodesNamed(['Lovelace', 'Ada']);
    const observations = await reader.observationsOf(nodes.map(({ id }) => id));
    return [nodes.map(({ name }) => name), observations.map(({ text }) => text)];
  });
  expect(found).toEqual([['Lovelace'], ['one']]);
});

test('an earlier name of a node that was deleted is free', async () => {
  await write(async ({ rows }) =>
    rows.removeNodes((await rows.nodesNamed(['Lovelace'])).map(({ id }) => id)),
  );
  await create('Ada', 'two');
  expect((await graph.read((reader) => reader.nodesNamed(['Ada']))).map(({ name }) => name)).toEqual(['Ada']);
});

test('a node may have its earlier name again', async () => {
  await rename('Lovelace', 'Ada');
  expect((await graph.read((reader) => reader.nodesNamed(['Ada']))).map(({ name }) => name)).toEqual(['Ada']);
});

test('a node that takes the name of a stub to which it is related both ways is related to itself, once', async () => {
  const edges = [
    { from: 'Lovelace', to: 'Byron', type: 'knows' },
    { from: 'Byron', to: 'Lovelace', type: 'knows' },
    { from: 'Byron', to: 'Byron', type: 'knows' },
    { from: 'Lovelace', to: 'Byron', type: 'likes' },
  ];
  await write((tx) => createEdgesWithStubs(tx, edges));
  await rename('Lovelace', 'Byron');
  const found = await graph.read((reader) => reader.edges());
  expect(found.map(({ fromName, type, toName }) => [fromName, type, toName])).toEqual([
    ['Byron', 'knows', 'Byron'],
    ['Byron', 'likes', 'Byron'],
  ]);
});

test('both names of a node that was renamed and deleted can be stubs', async () => {
  await rename('Lovelace', 'Augusta');
  await write(async ({ rows }) => rows.removeNodes((await rows.nodesNamed(['Augusta'])).map(({ id }) => id)));
  await write((tx) =>
    createEdgesWithStubs(tx, [
      { from: 'Ada', to: 'Lovelace', type: 'was' },
      { from: 'Augusta', to: 'Ada', type: 'is' },
    ]),
  );
  await create('Lovelace');
  const found = await graph.read(async (reader) => [
    [...(await reader.nodes()), ...(await reader.stubs())].map(({ name }) => name),
    (await reader.edges()).map(({ fromName, type, toName }) => [fromName, type, toName]),
  ]);
  expect(found).toEqual([
    ['Lovelace', 'Ada', 'Augusta'],
    [
      ['Ada', 'was', 'Lovelace'],
      ['Augusta', 'is', 'Ada'],
    ],
  ]);
});
