import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { times } from '../helpers/full.js';
import { edge, MeshTools, namesOf, node } from '../helpers/mesh-tools.js';
import { type Scratch, scratchFolder, scratchStore, storeKinds } from '../helpers/stores.js';

const schemas = fileURLToPath(new URL('schemas', import.meta.url));
const gandalf = { name: 'Gandalf', role: 'Wizard', status: 'Active' };

describe.each(storeKinds)('tools made from schemas on $kind', (kind) => {
  let scratch: Scratch;
  let mesh: MeshTools;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    mesh = await MeshTools.open(scratch.store, schemas);
    await mesh.ok('add_location', { location: { name: 'Rivendell' } });
    await mesh.ok('add_location', { location: { name: 'Mordor' } });
  });
  afterEach(async () => {
    await mesh.close();
    await scratch.dispose();
  });
  const commits = () => mesh.commits(scratch.store);
  const addGandalf = (more: object = {}) => mesh.ok('add_npc', { npc: { ...gandalf, ...more } });
  const metadata = async (name: string) =>
    (await mesh.ok('open_nodes', { names: [name], neighbors: false })).data.nodes[0]?.metadata;
  const edges = async () => (await mesh.readGraph()).edges;

  test('14.1 load all schemas from directory: three files make nine tools after the static ones', () => {
    expect(mesh.names).toHaveLength(20);
    expect(mesh.names.slice(11)).toEqual([
      ...['add_location', 'update_location', 'delete_location'],
      ...['add_npc', 'update_npc', 'delete_npc'],
      ...['add_quest', 'update_quest', 'delete_quest'],
    ]);
  });

  test('they are counted by what they do, since their names tell what the graph holds', () => {
    const counted = mesh.context.surface.tools.slice(11).map(({ metricName }) => metricName);
    expect(new Set(counted)).toEqual(new Set(['add_type', 'update_type', 'delete_type']));
  });

  test('14.2 create node via schema tool', async () => {
    const { data, actionTaken } = await addGandalf();
    expect(data).toEqual({
      nodes: [node('Gandalf', ['Role: Wizard', 'Status: Active'], 'npc')],
      edges: [],
    });
    expect(actionTaken).toBe('Created npc: Gandalf');
  });

  test('14.2 create node with relationship property, in one commit', async () => {
    const before = await commits();
    const { data, warnings } = await addGandalf({ currentLocation: 'Rivendell', traits: ['brave', 'wise'] });
    expect(data).toEqual({
      nodes: [
        node(
          'Gandalf',
          ['Role: Wizard', 'Status: Active', 'Current Location: Rivendell', 'Traits: brave, wise'],
          'npc',
        ),
      ],
      edges: [edge('Gandalf', 'Rivendell', 'located_in', 1)],
    });
    expect(warnings).toBeUndefined();
    expect(await edges()).toEqual(data.edges);
    expect(await commits()).toBe(before + 1);
  });

  test('14.2 update node via schema tool', async () => {
    await addGandalf({ currentLocation: 'Rivendell' });
    const { data, actionTaken } = await mesh.ok('update_npc', {
      npc: { name: 'Gandalf', currentLocation: 'Mordor' },
    });
    expect(actionTaken).toBe('Updated npc: Gandalf');
    expect(data.edges).toEqual([edge('Gandalf', 'Mordor', 'located_in', 1)]);
    expect(await edges()).toEqual([edge('Gandalf', 'Mordor', 'located_in', 1)]);
    expect(await metadata('Gandalf')).toEqual(['Role: Wizard', 'Status: Active', 'Current Location: Mordor']);
  });

  test('14.2 delete node via schema tool', async () => {
    await addGandalf({ currentLocation: 'Rivendell' });
    await mesh.addEdges(edge('Mordor', 'Gandalf', 'fears'));
    const { data, actionTaken } = await mesh.ok<object>('delete_npc', { npc: { name: 'Gandalf' } });
    expect(data).toEqual({ deleted: ['Gandalf'], not_found: [] });
    expect(actionTaken).toBe('Deleted npc: Gandalf');
    expect(namesOf(await mesh.readGraph())).toEqual(['Rivendell', 'Mordor']);
    expect(await edges()).toEqual([]);
  });

  test('14.2 enum validation', async () => {
    const { error, context } = await mesh.error('add_npc', { npc: { ...gandalf, role: 'Dragon' } });
    expect(context.code).toBe('INVALID_ARGUMENT');
    expect(error).toMatch(/role/);
    expect(error).toMatch(/Dragon/);
    expect(error).toMatch(/Warrior/);
    expect(await metadata('Gandalf')).toBeUndefined();
  });

  test('add_npc whose target is missing leaves nothing (must hold 1)', async () => {
    const before = [await mesh.readGraph(), await commits()];
    const { error, context, suggestions } = await mesh.error('add_npc', {
      npc: { ...gandalf, currentLocation: 'rivendel' },
    });
    expect(error).toBe('Node not found: rivendel');
    expect(context).toMatchObject({ code: 'NOT_FOUND', details: { property: 'currentLocation' } });
    expect(suggestions[0]).toContain('Create "rivendel" first with add_location');
    expect(suggestions[1]).toBe('Did you mean "Rivendell"?');
    expect([await mesh.readGraph(), await commits()]).toEqual(before);
  });

  test('update_npc whose target is missing leaves everything as it was', async () => {
    await addGandalf({ currentLocation: 'Rivendell' });
    const before = await mesh.readGraph();
    await mesh.error('update_npc', { npc: { name: 'Gandalf', status: 'Missing', currentLocation: 'Bree' } });
    expect(await mesh.readGraph()).toEqual(before);
  });

  test.each([
    [{ ...gandalf, role: 1 }, ['role', '1']],
    [{ name: 'Gandalf', role: 'Wizard' }, ['status']],
    [{ ...gandalf, traits: 'brave' }, ['traits']],
    [{ ...gandalf, name: '' }, ['name']],
  ])(
    'faults are named with the field, the value, what is allowed, and an example: %j (must hold 3)',
    async (npc, parts) => {
      const { error, suggestions } = await mesh.error('add_npc', { npc });
      const said = [error, ...suggestions].join('\n');
      for (const part of [...parts, '{"npc":']) expect(said).toContain(part);
      expect(await commits()).toBe(2);
    },
  );

  test('additionalProperties false is enforced; absent, extra arguments become metadata (must hold 3)', async () => {
    const { error } = await mesh.error('add_location', { location: { name: 'Bree', mood: 'cosy' } });
    expect(error).toContain('mood');
    await addGandalf({ staffColor: 'white' });
    expect(await metadata('Gandalf')).toContain('Staff Color: white');
  });

  test('the object keyed by the type must be there; older clients key it by the tool', async () => {
    const { error } = await mesh.error('add_npc', gandalf);
    expect(error).toContain('Missing required argument: "npc" object not provided');
    await mesh.ok('add_npc', { add_npc: gandalf });
    await mesh.ok('update_npc', { update_npc: { name: 'Gandalf', status: 'Missing' } });
    expect(await metadata('Gandalf')).toEqual(['Role: Wizard', 'Status: Missing']);
    await mesh.ok('delete_npc', { delete_npc: { name: 'Gandalf' } });
  });

  test('keys are Title Case on add and update; entries without a colon and repeated keys survive (must hold 4)', async () => {
    await addGandalf({ currentLocation: 'Rivendell' });
    await mesh.ok('add_metadata', {
      nodeName: 'Gandalf',
      metadata: ['Fly, you fools!', 'Status: Seen twice'],
    });
    await mesh.ok('update_npc', {
      npc: { name: 'Gandalf', status: 'Missing', currentLocation: 'Mordor', homeTown: 'Valinor' },
    });
    expect(await metadata('Gandalf')).toEqual([
      'Role: Wizard',
      'Status: Missing',
      'Current Location: Mordor',
      'Fly, you fools!',
      'Status: Seen twice',
      'Home Town: Valinor',
    ]);
  });

  test('a relationship update replaces only the edge this property made (must hold 5)', async () => {
    await mesh.ok('add_location', { location: { name: 'Bree' } });
    await mesh.ok('add_quest', { quest: { name: 'Ring', start: 'Rivendell', places: ['Mordor'] } });
    await mesh.addEdges(edge('Ring', 'Bree', 'takes_place_in', 0.3));
    await mesh.ok('update_quest', { quest: { name: 'Ring', start: 'Mordor' } });
    expect(await edges()).toEqual([
      edge('Ring', 'Mordor', 'takes_place_in', 1),
      edge('Ring', 'Bree', 'takes_place_in', 0.3),
    ]);
    await mesh.ok('update_quest', { quest: { name: 'Ring', places: ['Rivendell', 'Bree'] } });
    expect(await edges()).toEqual([
      edge('Ring', 'Mordor', 'takes_place_in', 1),
      edge('Ring', 'Bree', 'takes_place_in', 0.3),
      edge('Ring', 'Rivendell', 'takes_place_in', 1),
    ]);
  });

  test('an array makes one edge per item, and the same target through two properties one edge', async () => {
    const { data } = await mesh.ok('add_quest', {
      quest: { name: 'Ring', start: 'Mordor', places: ['Rivendell', 'Mordor', 'Rivendell'] },
    });
    expect(data.edges).toEqual([
      edge('Ring', 'Mordor', 'takes_place_in', 1),
      edge('Ring', 'Rivendell', 'takes_place_in', 1),
    ]);
  });

  test('trust 14: a relationship accepts a list as in the original server, and an update replaces all of it', async () => {
    await addGandalf({ currentLocation: ['Rivendell', 'Mordor'] });
    const { data } = await mesh.ok('update_npc', { npc: { name: 'Gandalf', currentLocation: ['Mordor'] } });
    expect(data.nodes[0]?.metadata).toContain('Current Location: Mordor');
    const { data: after } = await mesh.ok('read_graph');
    expect(after.edges).toEqual([edge('Gandalf', 'Mordor', 'located_in', 1)]);
    expect(
      (await mesh.error('update_npc', { npc: { name: 'Gandalf', currentLocation: ['x', 1] } })).error,
    ).toMatch(/currentLocation\[1\] is 1, but must be a string/);
  });

  test('trust 14: a key as the original spelt it on updates is replaced, with the edge it made', async () => {
    await mesh.addNodes(
      node('Frodo', ['Role: Wizard', 'Status: Active', 'Currentlocation: Rivendell'], 'npc'),
    );
    await mesh.ok('add_edges', { edges: [edge('Frodo', 'Rivendell', 'located_in')] });
    const { data } = await mesh.ok('update_npc', { npc: { name: 'Frodo', currentLocation: 'Mordor' } });
    expect(data.nodes[0]?.metadata).toEqual(['Role: Wizard', 'Status: Active', 'Current Location: Mordor']);
    expect((await mesh.ok('read_graph')).data.edges).toEqual([edge('Frodo', 'Mordor', 'located_in', 1)]);
  });

  test('a target of another type is accepted with a warning; a node may be its own target', async () => {
    await mesh.addNodes(node('Bag End', [], 'house'));
    const { warnings } = await addGandalf({ currentLocation: 'Bag End' });
    expect(warnings).toEqual(['currentLocation: "Bag End" is of type house, not location.']);
    const own = await mesh.ok('add_npc', { npc: { ...gandalf, name: 'Tom', currentLocation: 'Tom' } });
    expect(own.data.edges).toEqual([edge('Tom', 'Tom', 'located_in', 1)]);
  });

  test.each(['update_npc', 'delete_npc'])(
    '%s of a node of another type counts as not found',
    async (tool) => {
      const { error, suggestions } = await mesh.error(tool, { npc: { name: 'Mordor' } });
      expect(error).toBe('npc "Mordor" not found');
      expect(suggestions).toEqual([
        'Nothing was done. "Mordor" is of type location: use update_location or delete_location.',
      ]);
      expect((await mesh.error(tool, { npc: { name: 'Nobody' } })).error).toBe('npc "Nobody" not found');
      expect(namesOf(await mesh.readGraph())).toContain('Mordor');
    },
  );

  test('add_npc of a name that exists, whatever its type, leaves it as it is', async () => {
    const { error } = await mesh.error('add_npc', { npc: { ...gandalf, name: 'Mordor' } });
    expect(error).toBe('Node already exists: Mordor. Consider updating existing node.');
    expect((await mesh.readGraph()).nodes).toHaveLength(2);
  });

  test('an update that changes nothing makes no commit', async () => {
    await addGandalf({ currentLocation: 'Rivendell' });
    const before = await commits();
    await mesh.ok('update_npc', { npc: { ...gandalf, currentLocation: 'Rivendell' } });
    expect(await commits()).toBe(before);
  });

  test('names and fields that mean something to JavaScript or to nobody', async () => {
    const odd = await mesh.ok('add_npc', {
      npc: { ...gandalf, name: '__proto__', constructor: 'of staffs' },
    });
    expect(odd.data.nodes[0]).toMatchObject({ name: '__proto__', nodeType: 'npc' });
    for (const npc of [
      { ...gandalf, name: 'A\0' },
      { ...gandalf, description: '\ud800' },
      { ...gandalf, extra: { deep: {} } },
      JSON.parse('{"name":"P","role":"Wizard","status":"Active","__proto__":"x"}'),
      [],
      'Gandalf',
      null,
    ]) {
      const before = await commits();
      await mesh.error('add_npc', { npc });
      expect(await commits()).toBe(before);
    }
  });
});

describe('the folder of schemas', () => {
  async function open() {
    const folder = await scratchFolder();
    await cp(schemas, folder, { recursive: true });
    const store = await openInMemorySqliteStore();
    await store.createGraph('default');
    const mesh = await MeshTools.open(store, folder);
    onTestFinished(async () => {
      await mesh.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    });
    return { folder, mesh, store };
  }

  test('a new file makes tools, a changed one changes them, and the listener is told', async () => {
    const { folder, mesh } = await open();
    let told = 0;
    mesh.context.surface.onToolsChanged?.(() => {
      told += 1;
    });
    const ship = { name: 'add_ship', description: 'Add a ship', properties: {} };
    await writeFile(join(folder, 'ship.schema.json'), JSON.stringify(ship));
    await expect.poll(() => mesh.names).toContain('add_ship');
    expect(told).toBe(1);
    await mesh.ok('add_ship', { ship: { name: 'Vingilot' } });
    await writeFile(
      join(folder, 'ship.schema.json'),
      JSON.stringify({
        ...ship,
        properties: { sails: { type: 'number', description: 'How many', required: true } },
      }),
    );
    await expect.poll(() => told).toBe(2);
    expect((await mesh.error('add_ship', { ship: { name: 'Elwing' } })).error).toContain('sails');
    await rm(join(folder, 'ship.schema.json'));
    await expect.poll(() => mesh.names).not.toContain('add_ship');
  });

  test('a file that breaks keeps its tools and is warned of', async () => {
    const { folder, mesh } = await open();
    await writeFile(join(folder, 'npc.schema.json'), '{');
    await expect.poll(() => mesh.warnings.join()).toContain('npc.schema.json');
    await mesh.ok('add_npc', { npc: gandalf });
  });

  test('the tools are made once, and the same list is answered until a file changes', async () => {
    const { mesh } = await open();
    expect(mesh.context.surface.tools).toBe(mesh.context.surface.tools);
    const [first, second] = [1, 2].map(() => mesh.context.surface.tools.map((tool) => tool.input.schema()));
    for (const [index, schema] of (first ?? []).entries()) expect(schema).toBe(second?.[index]);
  });

  test.each(['add_nodes', 'add_edges', 'add_metadata', 'npc', 'add_npc'])(
    'a schema named %s is refused at load (must hold 7)',
    async (name) => {
      const { folder, store } = await open();
      const file = join(folder, 'other.schema.json');
      await writeFile(file, JSON.stringify({ name, description: 'x', properties: {} }));
      await expect(MeshTools.open(store, folder)).rejects.toMatchObject({
        code: 'SCHEMA_INVALID',
        message: expect.stringContaining('other.schema.json'),
      });
    },
  );

  test('whatever values a node is made with, an update with the same values changes nothing', async () => {
    const { mesh, store } = await open();
    await mesh.ok('add_location', { location: { name: 'Here' } });
    const text = fc
      .string({ minLength: 1 })
      .filter((value) => value.isWellFormed() && !value.includes('\0') && value.trim() !== '');
    const values = fc.record(
      { description: text, traits: fc.array(text), currentLocation: fc.constant('Here') },
      { requiredKeys: [] },
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const npc = { name: `n${count++}`, role: 'Thief', status: 'Active', ...given };
        const { data } = await mesh.ok('add_npc', { npc });
        const commits = await mesh.commits(store);
        const again = await mesh.ok('update_npc', { npc });
        expect(again.data.nodes).toEqual(data.nodes);
        expect(await mesh.commits(store)).toBe(commits);
      }),
      { numRuns: times(15, 60) },
    );
  });
});
