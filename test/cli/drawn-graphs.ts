import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import type { Store } from '../../src/store/store-contract.js';

const author = { actor: 'ann', tool: 'test' };

/**
 * `drawn` has nodes that share a name, a loop, nodes that only an edge names, weights, keys and properties; `keyed` has
 * a schema, whose keys name the nodes.
 */
export async function drawGraphs(store: Store): Promise<void> {
  await store.createGraph('drawn');
  const [ada, texts] = [
    { type: 'person', id: 'Ada' },
    { observations: ['a', 'b\nc'], tags: ['x', 'y'] },
  ];
  await ingest(store, 'drawn', [
    { ...ada, data: { born: 1815 }, summary: 'a "start"', ...texts },
    { type: 'city', id: 'Ada', data: {} },
    { type: 'city', id: 'Rome', data: {} },
    { edge: 'in', from: 'Ada', to: 'Rome', from_type: 'person', weight: 0.5, key: 'k', data: { since: 1 } },
    { edge: 'in', from: 'Ada', to: 'Rome', from_type: 'city', data: {} },
    { edge: 'is', from: 'Rome', to: 'Rome', data: {} },
  ]);
  await new Graph(store, 'drawn').write(author, (tx) =>
    createEdgesWithStubs(tx, [
      { from: 'Rome', to: 'Ghost', type: 'near' },
      { from: 'Spirit', to: 'Ghost', type: 'near' },
    ]),
  );
  await store.createGraph('keyed');
  await applyGraphSchema(
    { commit: (work) => new Graph(store, 'keyed').commit(author, work) },
    {
      source:
        'node Person { email: String @key  age: I32? }\nnode Visit { at: String  no: I32  @key(at, no) }\nedge Knows: Person -> Person\nedge Made: Person -> Visit',
    },
  );
  await ingest(store, 'keyed', [
    { type: 'Person', data: { email: 'ada', age: 36 }, observations: ['likes numbers'] },
    { type: 'Person', data: { email: 'bob' } },
    { type: 'Visit', data: { at: 'Ulm', no: 7 } },
    { edge: 'Knows', from: 'ada', to: 'bob', data: {} },
  ]);
}

async function ingest(store: Store, graph: string, lines: readonly object[]): Promise<void> {
  await runIngest(
    { commit: (work) => new Graph(store, graph).commit(author, work) },
    [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))],
    { mode: 'merge', maxBytes: 1_000_000 },
  );
}
