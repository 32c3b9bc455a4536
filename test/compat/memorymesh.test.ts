import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ApplicationManager,
  createSchemaNode,
  EdgeManager,
  EdgeWeightUtils,
  EventEmitter,
  GraphValidator,
  MetadataManager,
  MetadataProcessor,
  NodeManager,
  SchemaBuilder,
  SchemaLoader,
  SearchManager,
  TransactionManager,
} from '../../src/compat/memorymesh.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { edge, node } from '../helpers/mesh-tools.js';
import { type Scratch, scratchFolder, scratchStore, storeKinds } from '../helpers/stores.js';

const schemas = fileURLToPath(new URL('../mesh/schemas', import.meta.url));

describe.each(storeKinds)('ApplicationManager on $kind', (kind) => {
  let scratch: Scratch;
  let app: ApplicationManager;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    app = new ApplicationManager(scratch.store);
  });
  afterEach(async () => {
    await app.close();
    await scratch.dispose();
  });
  /** What somebody else sees, who opens the same place. */
  const stored = async () => {
    const other = await openStoreAtLocation(scratch.path);
    try {
      return await new ApplicationManager(other).readGraph();
    } finally {
      await other.close();
    }
  };
  const commits = async () => (await scratch.store.commits({ graph: 'default' })).length;

  test('nodes, edges and metadata, in the shapes of the seed', async () => {
    await app.addNodes([{ type: 'node', ...node('A', ['Role: x']) }, node('B')]);
    await app.addEdges([{ type: 'edge', ...edge('A', 'B') }]);
    await app.updateEdges([{ ...edge('A', 'B'), newWeight: 0.5 }]);
    await app.addMetadata('A', ['Role: x', 'Mood: good']);
    await app.deleteMetadata('A', ['Role: x']);
    await app.updateNodes([{ name: 'B', nodeType: 'other' }]);
    expect(await stored()).toEqual({
      nodes: [node('A', ['Mood: good']), node('B', [], 'other')],
      edges: [edge('A', 'B', 'knows', 0.75)],
    });
    expect(await app.searchNodes('GOOD')).toEqual(await app.openNodes(['A']));
    await app.deleteEdges([edge('A', 'B')]);
    await app.deleteNodes(['A', 'nobody']);
    expect(await app.readGraph()).toEqual({ nodes: [node('B', [], 'other')], edges: [] });
  });

  test('getEdges filters by any of the three fields', async () => {
    await app.addNodes([node('A'), node('B'), node('C')]);
    const [ab, ba, bc] = [edge('A', 'B', 'knows', 1), edge('B', 'A', 'likes', 1), edge('B', 'C', 'knows', 1)];
    await app.addEdges([ab, ba, bc]);
    expect(await app.getEdges()).toEqual([ab, ba, bc]);
    expect(await app.getEdges({ from: 'B' })).toEqual([ba, bc]);
    expect(await app.getEdges({ to: 'B' })).toEqual([ab]);
    expect(await app.getEdges({ edgeType: 'knows', from: 'B' })).toEqual([bc]);
    expect(await app.getEdges({ from: 'nobody' })).toEqual([]);
  });

  test('14.4 successful transaction commits, as one commit', async () => {
    await app.beginTransaction();
    await app.addNodes([node('A'), node('B')]);
    await app.addEdges([edge('A', 'B')]);
    expect(await app.getEdges()).toHaveLength(1);
    expect((await stored()).nodes).toEqual([]);
    await app.commit();
    expect(await stored()).toEqual({ nodes: [node('A'), node('B')], edges: [edge('A', 'B', 'knows', 1)] });
    expect(await commits()).toBe(1);
  });

  test('14.4 failed transaction rolls back', async () => {
    await app.beginTransaction();
    await app.addNodes([node('A')]);
    await expect(app.addEdges([edge('A', 'nobody')])).rejects.toThrow('Node not found: nobody');
    await app.rollback();
    expect(await app.readGraph()).toEqual({ nodes: [], edges: [] });
    expect(await commits()).toBe(0);
  });

  test('14.4 withTransaction auto-commits on success', async () => {
    const result = await app.withTransaction(async () => {
      await app.addNodes([node('A'), node('B')]);
      await app.addEdges([edge('A', 'B')]);
      return 'done';
    });
    expect(result).toBe('done');
    expect((await stored()).edges).toHaveLength(1);
  });

  test('14.4 withTransaction auto-rolls-back on error', async () => {
    const failing = app.withTransaction(async () => {
      await app.addNodes([node('A')]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(app.isInTransaction()).toBe(false);
    expect((await stored()).nodes).toEqual([]);
  });

  test('a transaction whose process dies leaves nothing', async () => {
    await app.beginTransaction();
    await app.addNodes([node('A')]);
    await scratch.reopen();
    expect((await stored()).nodes).toEqual([]);
    app = new ApplicationManager(scratch.store);
  });

  test('steps that are not awaited still come in turn', async () => {
    await app.withTransaction(async () => {
      await Promise.all([
        app.addNodes([node('A')]),
        app.addNodes([node('B')]),
        app.addEdges([edge('A', 'B')]),
        app.updateEdges([{ ...edge('A', 'B'), weight: 0 }]),
      ]);
    });
    expect((await stored()).edges).toEqual([edge('A', 'B', 'knows', 0.5)]);
  });

  test('a commit that no longer holds, because others wrote meanwhile, stores nothing', async () => {
    await app.beginTransaction();
    await app.addNodes([node('A'), node('B')]);
    const other = new ApplicationManager(scratch.store);
    await other.addNodes([node('B', ['theirs'])]);
    await expect(app.commit()).rejects.toThrow('Node already exists: B');
    expect(app.isInTransaction()).toBe(false);
    expect((await app.readGraph()).nodes).toEqual([node('B', ['theirs'])]);
  });

  test('transactions do not nest, and nothing can be committed outside of one', async () => {
    await app.beginTransaction();
    await expect(app.beginTransaction()).rejects.toThrow('already in progress');
    await app.rollback();
    await expect(app.commit()).rejects.toThrow('No transaction');
    await expect(app.rollback()).rejects.toThrow('No transaction');
  });

  describe('events', () => {
    let heard: string[];
    const record = (...events: string[]) => {
      heard = [];
      for (const event of events) app.on(event, (data) => heard.push(`${event} ${JSON.stringify(data)}`));
    };

    test('come before and after, with what was asked', async () => {
      record('beforeAddNodes', 'afterAddNodes', 'beforeSearch', 'afterSearch', 'afterDeleteNodes');
      await app.addNodes([node('A')]);
      await app.searchNodes('a');
      await app.deleteNodes(['A']);
      const a = JSON.stringify(node('A'));
      expect(heard).toEqual([
        `beforeAddNodes {"nodes":[${a}]}`,
        `afterAddNodes {"nodes":[${a}]}`,
        'beforeSearch {"query":"a"}',
        `afterSearch {"results":{"nodes":[${a}],"edges":[]}}`,
        'afterDeleteNodes {"names":["A"]}',
      ]);
    });

    test('before an operation, a listener that throws stops it', async () => {
      app.on('beforeAddNodes', () => {
        throw new Error('not today');
      });
      await expect(app.addNodes([node('A')])).rejects.toThrow('not today');
      expect((await app.readGraph()).nodes).toEqual([]);
    });

    test('after it, what a listener throws is reported and undoes nothing', async () => {
      const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      onTestFinished(() => stderr.mockRestore());
      app.on('afterAddNodes', () => {
        throw new Error('too late');
      });
      await app.addNodes([node('A')]);
      expect(stderr.mock.calls.join()).toContain('too late');
      expect((await app.readGraph()).nodes).toHaveLength(1);
    });

    test('after a write in a transaction come when it is committed, and never if it is rolled back', async () => {
      record('beforeBeginTransaction', 'afterAddNodes', 'afterCommit', 'beforeRollback', 'afterRollback');
      await app.beginTransaction();
      await app.addNodes([node('A')]);
      expect(heard).toEqual(['beforeBeginTransaction {}']);
      await app.commit();
      expect(heard.slice(1)).toEqual([
        `afterAddNodes {"nodes":[${JSON.stringify(node('A'))}]}`,
        'afterCommit {}',
      ]);
      await app.beginTransaction();
      await app.addNodes([node('B')]);
      await app.rollback();
      expect(heard.slice(4)).toEqual(['beforeRollback {}', 'afterRollback {}']);
    });
  });
});

test('a file is made in the mesh line format, and each manager works by itself', async () => {
  const folder = await scratchFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'mesh.json');
  const [nodes, edges, metadata, search] = [
    new NodeManager(file),
    new EdgeManager(file),
    new MetadataManager(file),
    new SearchManager(file),
  ];
  await nodes.addNodes([node('A'), node('B')]);
  await edges.addEdges([edge('A', 'B')]);
  await metadata.addMetadata('A', ['Role: x']);
  expect(await search.openNodes(['A'])).toEqual({
    nodes: [node('A', ['Role: x']), node('B')],
    edges: [edge('A', 'B', 'knows', 1)],
  });
  await Promise.all([nodes, edges, metadata, search].map((manager) => manager.close()));
  expect(await readFile(file, 'utf8')).toBe(
    '{"type":"node","name":"A","nodeType":"thing","metadata":["Role: x"]}\n' +
      '{"type":"node","name":"B","nodeType":"thing","metadata":[]}\n' +
      '{"type":"edge","from":"A","to":"B","edgeType":"knows","weight":1}\n',
  );
});

describe('TransactionManager', () => {
  test('runs rollback actions last first, and goes on when one fails', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => stderr.mockRestore());
    const manager = new TransactionManager();
    const done: string[] = [];
    await manager.beginTransaction();
    manager.addRollbackAction(async () => void done.push('first'), 'first');
    manager.addRollbackAction(async () => Promise.reject(new Error('stuck')), 'second');
    manager.addRollbackAction(async () => void done.push('third'), 'third');
    expect(manager.isInTransaction()).toBe(true);
    await manager.rollback();
    expect(done).toEqual(['third', 'first']);
    expect(stderr.mock.calls.join()).toContain('"second" failed: stuck');
    expect(manager.isInTransaction()).toBe(false);
  });

  test('forgets them on commit', async () => {
    const manager = new TransactionManager();
    const action = vi.fn(async () => {});
    await manager.withTransaction(async () => manager.addRollbackAction(action, 'x'));
    const failing = manager.withTransaction(async () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(action).not.toHaveBeenCalled();
  });
});

describe('EventEmitter', () => {
  test('on, once, off, emit and removeAllListeners', () => {
    const emitter = new EventEmitter();
    const heard: string[] = [];
    const listener = (data: unknown) => heard.push(`on ${data}`);
    const stop = emitter.on('x', listener);
    emitter.once('x', (data) => heard.push(`once ${data}`));
    expect(emitter.emit('x', 1)).toBe(true);
    expect(emitter.emit('x', 2)).toBe(true);
    stop();
    expect(emitter.emit('x', 3)).toBe(false);
    emitter.once('x', listener);
    emitter.off('x', listener);
    emitter.on('__proto__', listener);
    emitter.removeAllListeners();
    expect(emitter.emit('__proto__')).toBe(false);
    expect(heard).toEqual(['on 1', 'once 1', 'on 2']);
  });

  test('a listener that throws does not keep the others from hearing', () => {
    const emitter = new EventEmitter();
    const other = vi.fn();
    emitter.on('x', () => {
      throw new Error('bad');
    });
    emitter.on('x', other);
    expect(() => emitter.emit('x')).toThrow('bad');
    expect(other).toHaveBeenCalledOnce();
  });
});

test('MetadataProcessor splits at the first colon and space', () => {
  const metadata = ['Role: Wizard', 'Note: a: b', 'Role: Thief', 'no colon'];
  expect(MetadataProcessor.parseEntry('Note: a: b')).toEqual({ key: 'Note', value: 'a: b' });
  expect(MetadataProcessor.parseEntry('no colon')).toEqual({ key: 'no colon', value: '' });
  expect(MetadataProcessor.formatEntry('Role', 'Wizard')).toBe('Role: Wizard');
  expect(MetadataProcessor.getValue(metadata, 'Role')).toBe('Wizard');
  expect(MetadataProcessor.getValue(metadata, 'Mood')).toBeNull();
  expect(MetadataProcessor.filterByKey(metadata, 'Role')).toEqual(['Role: Wizard', 'Role: Thief']);
  expect(MetadataProcessor.createMap(metadata).get('Note')).toBe('a: b');
  expect(MetadataProcessor.merge(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c']);
});

describe('EdgeWeightUtils', () => {
  test('14.5 default weight is 1.0', () => {
    expect(EdgeWeightUtils.ensureWeight(edge('A', 'B')).weight).toBe(1);
    expect(EdgeWeightUtils.ensureWeight(edge('A', 'B', 'x', 0)).weight).toBe(0);
  });

  test('14.5 weight averaging on update', () => {
    expect(EdgeWeightUtils.updateWeight(0.8, 0.6)).toBeCloseTo(0.7);
    expect([0.6, 0.4, 1].reduce(EdgeWeightUtils.updateWeight, 1)).toBeCloseTo(0.8);
  });

  test('14.5 weight out of range rejected', () => {
    for (const weight of [1.5, -0.1, Number.NaN]) {
      expect(() => EdgeWeightUtils.validateWeight(weight)).toThrow('Edge weight must be between 0 and 1');
    }
    expect(EdgeWeightUtils.combineWeights([0.2, 0.9, 0.5])).toBe(0.9);
  });
});

test('trust 14: of no weights, the combined one is the default', () => {
  expect(EdgeWeightUtils.combineWeights([])).toBe(1);
});

test('trust 14: GraphValidator checks names and whole graphs, in the original words', () => {
  const graph = { nodes: [node('A'), node('B')], edges: [edge('A', 'B')] };
  expect(() => GraphValidator.validateNodeNameProperty({ name: 'A' })).not.toThrow();
  expect(() => GraphValidator.validateNodeNameProperty({ nodeType: 't' })).toThrow(
    "Node must have a 'name' property for updating",
  );
  expect(() => GraphValidator.validateNodeNamesArray(['A', 'B'])).not.toThrow();
  expect(() => GraphValidator.validateNodeNamesArray('A')).toThrow('nodeNames must be an array');
  expect(() => GraphValidator.validateNodeNamesArray(['A', 1])).toThrow('All node names must be strings');
  expect(() => GraphValidator.validateGraphStructure(graph)).not.toThrow();
  expect(() => GraphValidator.validateGraphStructure(JSON.parse('{"edges": []}'))).toThrow(
    "Graph must have a 'nodes' array",
  );
  expect(() => GraphValidator.validateGraphStructure(JSON.parse('{"nodes": []}'))).toThrow(
    "Graph must have an 'edges' array",
  );
  expect(() => GraphValidator.validateGraphStructure({ ...graph, edges: [edge('A', 'Z')] })).toThrow(
    'Node not found: Z',
  );
  const unnamed = { ...graph, nodes: [...graph.nodes, node('')] };
  expect(() => GraphValidator.validateGraphStructure(unnamed)).toThrow("Node must have a 'name' property");
});

test('trust 14: SchemaBuilder takes the defaults of the original, null among them', () => {
  const build = (rest: readonly [required?: boolean, choices?: null]) =>
    new SchemaBuilder('add_npc', 'Add an NPC')
      .addStringProperty('name', 'The name', true, null)
      .addStringProperty('role', 'The role', ...rest)
      .addArrayProperty('traits', 'Traits', ...rest)
      .addRelationship('home', 'lives_in', 'Where it lives', null)
      .build();
  expect(build([false, null])).toEqual(build([]));
  expect(build([]).properties).toMatchObject({ role: { required: false }, traits: { required: false } });
  expect(build([]).properties['role']).not.toHaveProperty('enum');
  expect(build([]).properties['home']?.relationship).toEqual({ edgeType: 'lives_in' });
});

test('GraphValidator', () => {
  const graph = { nodes: [node('A'), node('B')], edges: [edge('A', 'B')] };
  expect(GraphValidator.validateNodeExists(graph, 'A')).toBe(graph.nodes[0]);
  expect(() => GraphValidator.validateNodeExists(graph, 'Z')).toThrow('Node not found: Z');
  expect(() => GraphValidator.validateNodeDoesNotExist(graph, 'A')).toThrow('Node already exists: A');
  expect(() => GraphValidator.validateNodeProperties(node('', []))).toThrow('name');
  expect(() => GraphValidator.validateNodeProperties(node('A', [], ''))).toThrow('nodeType');
  expect(() => GraphValidator.validateEdgeProperties(edge('A', '', 'x'))).toThrow('to');
  expect(() => GraphValidator.validateEdgeProperties(edge('A', 'B', 'x', 2))).toThrow('between 0 and 1');
  expect(() => GraphValidator.validateEdgeUniqueness(graph, edge('A', 'B'))).toThrow('A -> B (knows)');
  expect(() => GraphValidator.validateEdgeUniqueness(graph, edge('B', 'A'))).not.toThrow();
  expect(() => GraphValidator.validateEdgeReferences(graph, [edge('A', 'Z')])).toThrow('Node not found: Z');
});

describe('schemas', () => {
  test('14.1 load valid schema, and make a node of it', async () => {
    const npc = new SchemaLoader(schemas).loadSchema('npc');
    expect(npc).toBeInstanceOf(SchemaBuilder);
    const made = createSchemaNode(
      { name: 'Gandalf', role: 'Wizard', status: 'Active', currentLocation: 'Rivendell' },
      npc,
      'npc',
    );
    expect(made.nodes[0]).toMatchObject(
      node('Gandalf', ['Role: Wizard', 'Status: Active', 'Current Location: Rivendell'], 'npc'),
    );
    expect(made.edges[0]).toMatchObject(edge('Gandalf', 'Rivendell', 'located_in'));
  });

  test('14.1 reject schema without "add_" prefix', async () => {
    const folder = await scratchFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const npc = { name: 'npc', description: 'x', properties: {} };
    await writeFile(join(folder, 'npc.schema.json'), JSON.stringify(npc));
    expect(() => new SchemaLoader(folder).loadSchema('npc')).toThrow('add_');
  });

  test('14.1 load all schemas from directory', () => {
    expect([...new SchemaLoader(schemas).loadAllSchemas().values()]).toHaveLength(3);
  });
});
