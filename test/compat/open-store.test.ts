import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApplicationManager } from '../../src/compat/memorymesh.js';
import { EngineTarget, Gate, GraphSource } from '../../src/gate/index.js';
import { addToGateRegistry } from '../../src/gate/registry/edit-gate-registry.js';
import { openStore } from '../../src/library/store.js';
import { databaseKinds, storeKinds } from '../helpers/stores.js';

const author = { actor: 'ada', tool: 'script' };
const person = {
  ...{ label: 'Person', merge_keys: { name: 'Ada' }, properties: {} },
  ...{ source: 'test', extraction_method: 'api' },
};

describe.each(databaseKinds)('a store opened by a program, on $kind', (kind) => {
  let place: Awaited<ReturnType<typeof kind.place>>;
  beforeEach(async () => {
    place = await kind.place();
  });
  afterEach(() => place.remove());

  test('trust 7: gives the gate its registry and its target', async () => {
    const store = await openStore(place.path);
    const graph = await store.graph('work', { ...author, create: true });
    await graph.commit((tx) =>
      addToGateRegistry(tx, 'work', {
        ...{ name: 'Person', kind: 'node', required: ['name'], absorbs: [] },
        ...{ types: {}, from: [], to: [] },
      }),
    );
    const gate = await Gate.open({ source: new GraphSource(graph) });
    const written = await gate.writeNode(new EngineTarget(graph), author, person);
    expect(written).toMatchObject({ status: 'written', created: true });
    expect(await gate.writeNode(new EngineTarget(graph), author, { ...person, label: 'Dog' })).toMatchObject({
      error_code: 'SCHEMA_UNKNOWN_LABEL',
    });
    expect(await store.store.commits({ graph: 'work' }, { limit: 1 })).toMatchObject([author]);
    await store.close();
    const again = await openStore(place.path);
    const nodes = await (await again.graph('work')).read((reader) => reader.nodesNamed(['Ada']));
    expect(nodes).toMatchObject([{ type: 'Person', props: { name: 'Ada' } }]);
    await again.close();
  });

  test('trust 7: a graph that is not there is refused, unless it is to be made', async () => {
    const store = await openStore(place.path);
    await expect(store.graph('work')).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' });
    expect((await store.graph()).name).toBe('default');
    await expect(store.graph('work')).rejects.toMatchObject({ code: 'GRAPH_NOT_FOUND' });
    await store.close();
  });

  test('trust 7: what is closed answers nothing more, and may be closed again', async () => {
    const store = await openStore(place.path);
    const graph = await store.graph();
    const writing = graph.commit(({ rows }) => rows.addIdentities([{ type: 'thing', name: 'Ada' }]));
    await store.close();
    await store.close();
    await expect(writing).resolves.toBeDefined();
    await expect(graph.read((reader) => reader.nodes())).rejects.toMatchObject({ code: 'STOPPED' });
  });
});

describe.each(storeKinds)('ApplicationManager on an open store, on $kind', (kind) => {
  test('trust 7: uses it and leaves it open', async () => {
    const place = await kind.place();
    const store = await openStore(place.path);
    const mesh = new ApplicationManager(store);
    await mesh.addNodes([{ name: 'Ada', nodeType: 'person', metadata: [] }]);
    await mesh.close();
    const graph = await store.graph();
    expect(await graph.read((reader) => reader.nodesNamed(['Ada']))).toMatchObject([{ type: 'person' }]);
    await store.close();
    await place.remove();
  });
});
