import { expect, test } from 'vitest';
import { Graph } from '../engine/graph.js';
import { openInMemorySqliteStore } from '../store/sqlite/sqlite-store.js';
import { IngestBatch } from './ingest-batch.js';
import { parseIngestLine } from './parse-ingest-line.js';
import { writeEdges } from './write-edges.js';
import { NodeIds, writeNodes } from './write-nodes.js';

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
