import { expect, test } from 'vitest';
import { Graph } from '../engine/graph.js';
import { createEdgesWithStubs } from '../engine/write/create-edges-with-stubs.js';
import { openInMemorySqliteStore } from '../store/sqlite/sqlite-store.js';
import { IngestBatch } from './ingest-batch.js';
import { parseIngestLine } from './parse-ingest-line.js';
import { runIngest } from './run-ingest.js';
import { writeEdges } from './write-edges.js';
import { ingestChunkSize, NodeIds, writeNodes } from './write-nodes.js';

const author = { actor: 'ann', tool: 'test' };

test('the ids of a very large batch are kept in part, and all of them only if asked for', () => {
  const ids = new NodeIds({ maxNames: 2 });
  for (const [index, name] of ['a', 'b', 'c'].entries()) ids.add('Person', name, index + 1);
  expect(['a', 'b', 'c'].map((name) => ids.get('Person', name))).toEqual([1, 2, undefined]);
  expect(ids.all.size).toBe(0);
  const all = new NodeIds({ maxNames: 2, keepsAll: true });
  for (const [index, name] of ['a', 'b', 'c'].entries()) all.add('Person', name, index + 1);
  expect([...all.all]).toEqual([1, 2, 3]);
});

test('edges find nodes of the batch whose ids were not kept', async () => {
  const store = await openInMemorySqliteStore();
  try {
    await store.createGraph('default');
    const graph = new Graph(store, 'default');
    await graph.commit(author, async ({ rows }) => {
      const batch = new IngestBatch({ schema: null, mode: 'merge', ids: () => 'id', now: rows.now });
      const lines = [
        ...['Ada', 'Grace', 'Lin'].map((name) => ({ type: 'Person', data: { name } })),
        { type: 'Place', data: { name: 'Lin' } },
        { edge: 'Knows', from: 'Ada', to: 'Lin', to_type: 'Person', data: {} },
        { edge: 'Visits', from: 'Grace', to: 'Lin', to_type: 'Place', data: {} },
      ];
      for (const [index, line] of lines.entries())
        batch.add(parseIngestLine({ number: index + 1, text: JSON.stringify(line) }));
      await writeNodes(rows, batch, 'merge');
      await writeEdges(rows, batch, new NodeIds({ maxNames: 0 }), 'merge');
      batch.dispose();
    });
    const edges = await store.read({ graph: 'default' }, (reader) => reader.edges({ limit: 10 }));
    const nodes = await store.read({ graph: 'default' }, (reader) => reader.nodes({ limit: 10 }));
    const typeOf = new Map(nodes.map(({ id, type }) => [id, type]));
    expect(edges.map(({ fromName, type, to }) => [fromName, type, typeOf.get(to)])).toEqual([
      ['Ada', 'Knows', 'Person'],
      ['Grace', 'Visits', 'Place'],
    ]);
  } finally {
    await store.close();
  }
});

/** Two lines that are about one name, with so many between them that they are in two chunks, one after the other. */
const inTwoChunks = (first: object, last: object) => [
  first,
  ...Array.from({ length: ingestChunkSize }, (_, index) => ({
    type: 'Other',
    data: { name: `other ${index}` },
  })),
  last,
];

test('a stub becomes the first node of its name, and a later one of another type is a node of its own', async () => {
  const store = await openInMemorySqliteStore();
  try {
    await store.createGraph('default');
    const graph = new Graph(store, 'default');
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [{ from: 'Lin', type: 'knows', to: 'Ada' }]));
    const [stub] = await graph.read((reader) => reader.nodesNamed(['Lin']));
    await ingest(
      graph,
      inTwoChunks({ type: 'Person', data: { name: 'Lin' } }, { type: 'Place', data: { name: 'Lin' } }),
    );
    const found = await graph.read((reader) => reader.nodesNamed(['Lin']));
    expect(found.map(({ type }) => type).sort()).toEqual(['Person', 'Place']);
    expect(found.find(({ type }) => type === 'Person')?.id).toBe(stub?.id);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
  } finally {
    await store.close();
  }
});

const [personLine, placeLine] = [
  { type: 'Person', data: { name: 'Lin', a: 1 } },
  { type: 'Place', data: { name: 'Lin', b: 2 } },
];
test.each([
  ['two chunks', inTwoChunks(personLine, placeLine)],
  ['one chunk', [personLine, placeLine]],
])('a node that has had two types is changed by the lines of both, in %s', async (_, lines) => {
  const store = await openInMemorySqliteStore();
  try {
    await store.createGraph('default');
    const graph = new Graph(store, 'default');
    await graph.write(author, async ({ rows }) => {
      const [made] = await rows.addIdentities([{ type: 'Person', name: 'Lin' }]);
      const node = made?.node ?? 0;
      await rows.addIdentities([{ type: 'Place', name: 'Lin', node }]);
      await rows.putNodes([{ id: node, type: 'Person', name: 'Lin', props: { before: 1 } }]);
    });
    await ingest(graph, lines);
    const found = await graph.read((reader) => reader.nodesNamed(['Lin']));
    expect(found.map(({ type, props }) => [type, props])).toEqual([['Place', { before: 1, a: 1, b: 2 }]]);
  } finally {
    await store.close();
  }
});

test('of two types with the name of a stub, the first claims it', async () => {
  const store = await openInMemorySqliteStore();
  try {
    await store.createGraph('default');
    const graph = new Graph(store, 'default');
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [{ from: 'Ada', to: 'Lin', type: 'Knows' }]));
    await ingest(graph, [
      { type: 'Person', data: { name: 'Lin' } },
      { type: 'Place', data: { name: 'Lin' } },
    ]);
    const { nodes, edges } = await graph.read(async (reader) => ({
      nodes: await reader.nodesNamed(['Lin']),
      edges: await reader.edges(),
    }));
    expect(nodes.map(({ type }) => type)).toEqual(['Person', 'Place']);
    expect(edges.map(({ to }) => to)).toEqual([nodes[0]?.id]);
  } finally {
    await store.close();
  }
});

const ingest = (graph: Graph, lines: readonly object[]) =>
  runIngest(
    { commit: (work, options) => graph.commit(author, work, options) },
    [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))],
    { mode: 'merge', maxBytes: Number.MAX_SAFE_INTEGER },
  );
