import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { addToGateRegistry } from '../../src/gate/registry/edit-gate-registry.js';
import { GraphSource } from '../../src/gate/registry/graph-source.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Store } from '../../src/store/store-contract.js';
import { callTool, readResource, type ToolResult } from '../../src/surfaces/dispatch.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { entity, MemoryTools, relation } from '../helpers/memory-tools.js';
import { databaseKinds, type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import { requestContextOn } from '../helpers/surfaces.js';

const operator = { actor: 'operator', tool: 'schema add' };
const entry = { required: ['name'], absorbs: [], types: {}, from: [], to: [] };

function add(store: Store, name: string, kind: 'node' | 'relationship' = 'node'): Promise<unknown> {
  const graph = new Graph(store, defaultGraph);
  return graph.write(operator, (tx) => addToGateRegistry(tx, defaultGraph, { ...entry, name, kind }));
}

/** Says something about the registry, and ties it to what agents know: nothing a string surface could do. */
async function entangle(store: Store): Promise<void> {
  await new Graph(store, defaultGraph).write(operator, async ({ rows }) => {
    const nodes = await rows.nodesNamed(['Ada', 'Person', 'Place']);
    const idOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.id ?? 0;
    await rows.putObservations([{ node: idOf('Person'), text: 'Ada is an example of a schema' }]);
    await rows.putEdges([
      { from: idOf('Ada'), to: idOf('Person'), fromName: 'Ada', toName: 'Person', type: 'is', key: '' },
      { from: idOf('Place'), to: idOf('Ada'), fromName: 'Place', toName: 'Ada', type: 'of', key: '' },
    ]);
  });
}

/** What agents write, with or without a registry around it. */
async function fill(store: Store, registry: boolean): Promise<void> {
  const memory = new MemoryTools(store);
  if (registry) await add(store, 'Person');
  await memory.createEntities(entity('Ada', ['an example', 'a schema of her own'], 'Person'), entity('Bob'));
  if (registry) await add(store, 'KNOWS', 'relationship');
  await memory.createEntities(entity('Schema', ['about schemas'], 'Schema'), entity('Lone', ['an example']));
  if (registry) await add(store, 'Place');
  await memory.createRelations(relation('Ada', 'Bob'), relation('Bob', 'Schema'), relation('Bob', 'KNOWS'));
  if (registry) await entangle(store);
  // Being tied to the registry is a change of Ada, too: something newer brings both histories into one order.
  await memory.createRelations(relation('Ada', 'Schema'));
}

const page = { limit: 1 };
const reads: Readonly<Record<string, readonly (readonly [tool: string, args: object])[]>> = {
  memory: [
    ['read_graph', {}],
    ['read_graph', page],
    ['open_nodes', { names: ['Ada', 'Person', 'Place', 'Schema', 'KNOWS'] }],
    ['search_nodes', { query: 'example' }],
    ['search_nodes', { query: 'example', ...page }],
    ['search_nodes', { query: 'Person' }],
    ['search_nodes', { query: 'required_properties' }],
    ['search_nodes', { query: 'schema example', mode: 'ranked' }],
  ],
  mesh: [
    ['read_graph', {}],
    ['read_graph', page],
    ['open_nodes', { names: ['Ada', 'Person', 'Place', 'KNOWS'] }],
    ['search_nodes', { query: 'example' }],
    ['search_nodes', { query: 'Person' }],
  ],
  workspace: [
    ['get_stats', {}],
    ['open_nodes', { names: ['Ada', 'Person', 'Place', 'KNOWS'] }],
    ['get_nodes_by_type', { entity_type: 'Schema' }],
    ['get_recently_modified', {}],
    ['get_recently_modified', page],
    ['query_observations', { entity_name: 'Ada', query: 'schema', mode: 'text' }],
    ['query_observations', { entity_name: 'Person', query: 'schema', mode: 'text' }],
    ['get_relations_between', { entity_a: 'Ada', entity_b: 'Person' }],
    ['get_neighborhood', { name: 'Ada', depth: 3 }],
    ['get_neighborhood', { name: 'Person' }],
    ['get_path', { from_entity: 'Ada', to_entity: 'Place' }],
    ['get_path', { from_entity: 'Ada', to_entity: 'Schema' }],
    ['get_orphans', page],
    ['get_relation_gaps', page],
    ['find_similar_nodes', {}],
    ['search_nodes', { query: 'example schema', mode: 'text' }],
    ['get_consolidation_report', {}],
    ['get_pending_consolidation', page],
  ],
};

const surfaces = ['memory', 'mesh', 'workspace'] as const;

async function bindingTo(name: string, store: Store) {
  const graph = new Graph(store, defaultGraph);
  const settings = { embedding: { provider: 'none' as const } };
  return requestContextOn(await openSurface(name, { store, graph, settings, warn: () => {} }), graph);
}

/** Every page of an answer, without what differs from one moment or one history to the other. */
async function answers(
  context: Awaited<ReturnType<typeof bindingTo>>,
  tool: string,
  args: object,
): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let cursor: unknown; ; ) {
    const given = cursor === undefined ? args : { ...args, cursor };
    const { structuredContent = {}, content, isError } = await callTool(context, tool, given);
    pages.push(isError ? content : comparable(structuredContent));
    const { data } = structuredContent;
    const holder = typeof data === 'object' && data !== null ? data : structuredContent;
    cursor = 'nextCursor' in holder ? holder.nextCursor : undefined;
    if (cursor === undefined) return pages;
  }
}

/** Times, cursors, scores, and how many commits there were. */
const unstable =
  /("\w*(?:_at|At)"|"last_modified"|"timestamp"|"nextCursor"|"score"|"since"|"creates"):("[^"]*"|[\d.]+)/g;
const comparable = (answer: object) => JSON.stringify(answer).replace(unstable, '$1:_');

describe.each(databaseKinds)('the registry of the gate, on $kind', (kind) => {
  let plain: Scratch;
  let registered: Scratch;

  beforeEach(async () => {
    [plain, registered] = [await scratchStore(kind), await scratchStore(kind)];
    await fill(plain.store, false);
    await fill(registered.store, true);
  });
  afterEach(async () => {
    await plain.dispose();
    await registered.dispose();
  });

  const labels = async () =>
    (await new GraphSource(new Graph(registered.store, defaultGraph)).load()).allCanonicalLabels();

  test.each(surfaces)('trust 6: on %s, a graph answers as if it had no registry', async (surface) => {
    const [without, withIt] = [
      await bindingTo(surface, plain.store),
      await bindingTo(surface, registered.store),
    ];
    for (const [tool, args] of reads[surface] ?? [])
      expect(await answers(withIt, tool, args), `${tool} ${JSON.stringify(args)}`).toEqual(
        await answers(without, tool, args),
      );
    for (const { uri, mimeType } of withIt.surface.resources) {
      const [seen, expected] = [await readResource(withIt, uri), await readResource(without, uri)];
      if (mimeType === 'application/json')
        expect(comparable(JSON.parse(seen.text))).toBe(comparable(JSON.parse(expected.text)));
      else expect(seen.text).toBe(expected.text);
    }
    await without.surface.close?.();
    await withIt.surface.close?.();
  });

  const call = async (surface: string, tool: string, args: object): Promise<ToolResult> => {
    const context = await bindingTo(surface, registered.store);
    const result = await callTool(context, tool, args);
    await context.surface.close?.();
    return result;
  };

  test.each([
    ['memory', 'delete_entities', { entityNames: ['Person', 'Place'] }],
    [
      'memory',
      'delete_observations',
      { deletions: [{ entityName: 'Person', observations: ['allowed: true'] }] },
    ],
    ['memory', 'add_observations', { observations: [{ entityName: 'Person', contents: ['x'] }] }],
    ['mesh', 'delete_nodes', { nodeNames: ['Person'] }],
    ['mesh', 'update_nodes', { nodes: [{ name: 'Person', nodeType: 'gone' }] }],
    ['workspace', 'delete_entities', { entity_names: ['Person'] }],
    ['workspace', 'set_tags', { name: 'Person', tags: ['x'] }],
    ['workspace', 'set_summary', { name: 'Person', summary: 'x' }],
  ])('trust 6: %s cannot touch it with %s', async (surface, tool, args) => {
    const before = await labels();
    await call(surface, tool, args);
    expect(await labels()).toEqual(before);
    const nodes = await registered.store.read({ graph: defaultGraph }, (reader) =>
      reader.nodesNamed(['Person']),
    );
    expect(nodes).toMatchObject([{ type: 'Schema', summary: null, tags: [], props: { allowed: true } }]);
  });

  test.each([
    ['memory', 'create_entities', { entities: [entity('Person', [], 'Schema')] }],
    ['mesh', 'add_nodes', { nodes: [{ name: 'Person', nodeType: 'Schema', metadata: [] }] }],
    ['workspace', 'create_entities', { entities: [{ name: 'Person', entity_type: 'Schema' }] }],
    ['mesh', 'update_nodes', { nodes: [{ name: 'Ada', nodeType: 'Schema' }] }],
  ])('trust 6: %s cannot take the place of an entry with %s', async (surface, tool, args) => {
    const isRename = tool === 'update_nodes';
    const result = await call(surface, tool, args);
    // Another name of that type is nobody's.
    if (isRename) expect(result.isError ?? false).toBe(false);
    else expect(JSON.stringify(result)).toContain('registry');
    expect(await labels()).toEqual(['Person', 'Place']);
  });

  test('trust 6: its names are free for entities and for relations that only name something', async () => {
    const memory = new MemoryTools(registered.store);
    expect(await memory.createEntities(entity('Person', ['a human being'], 'concept'))).toHaveLength(1);
    await memory.createRelations(relation('Ada', 'Person', 'is'), relation('Bob', 'Later'));
    await add(registered.store, 'Later');
    expect((await memory.open('Person')).entities).toEqual([entity('Person', ['a human being'], 'concept')]);
    expect((await memory.open('Bob')).relations).toContainEqual(relation('Bob', 'Later'));
    expect(await labels()).toEqual(['Person', 'Place', 'Later']);
    await memory.ok('delete_entities', { entityNames: ['Person'] });
    expect(await labels()).toEqual(['Person', 'Place', 'Later']);
  });

  test('trust 6: an entity of the type Schema stays what it is', async () => {
    const memory = new MemoryTools(registered.store);
    await memory.createEntities(entity('Tables', ['of the shop'], 'Schema'));
    await expect(add(registered.store, 'Tables')).rejects.toMatchObject({ code: 'NODE_EXISTS' });
    expect((await memory.open('Tables')).entities).toEqual([entity('Tables', ['of the shop'], 'Schema')]);
  });

  test('trust 6: the graph surface still shows it', async () => {
    const context = await bindingTo('graph', registered.store);
    const query = 'query all() { match { $s: Schema } return { $s.name } }';
    const { structuredContent } = await callTool(context, 'query', { query });
    expect(JSON.stringify(structuredContent)).toContain('Person');
  });
});

describe.each(storeKinds)('a store that no gate writes to, $kind', (kind) => {
  test('trust 6: an entity of the type Schema is an entity', async () => {
    const scratch = await scratchStore(kind);
    try {
      const memory = new MemoryTools(scratch.store);
      await memory.createEntities(entity('Tables', ['allowed: true'], 'Schema'), entity('Ada'));
      await memory.createRelations(relation('Ada', 'Tables'));
      expect(await memory.readGraph()).toMatchObject({
        entities: [entity('Tables', ['allowed: true'], 'Schema'), entity('Ada')],
        relations: [relation('Ada', 'Tables')],
      });
      await memory.ok('delete_entities', { entityNames: ['Tables'] });
      expect((await memory.readGraph()).entities).toEqual([entity('Ada')]);
    } finally {
      await scratch.dispose();
    }
  });
});
