import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { edge, MeshTools } from '../helpers/mesh-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

const schemas = fileURLToPath(new URL('schemas', import.meta.url));

describe.each(storeKinds)('trust 15: which property made an edge, on $kind', (kind) => {
  let scratch: Scratch;
  let mesh: MeshTools;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    mesh = await MeshTools.open(scratch.store, schemas);
    for (const name of ['Rivendell', 'Mordor', 'Bree']) await mesh.ok('add_location', { location: { name } });
  });
  afterEach(async () => {
    await mesh.close();
    await scratch.dispose();
  });

  const gandalf = { name: 'Gandalf', role: 'Wizard', status: 'Active' };
  const add = (more: object = {}) => mesh.ok('add_npc', { npc: { ...gandalf, ...more } });
  const move = (currentLocation: string | null) =>
    mesh.ok('update_npc', { npc: { name: 'Gandalf', currentLocation } });
  const targets = async () => (await mesh.readGraph()).edges.map(({ to }) => to);
  const byHand = (to: string) => mesh.addEdges(edge('Gandalf', to, 'located_in'));

  test('an edge whose metadata line was deleted is still replaced', async () => {
    await add({ currentLocation: 'Rivendell' });
    await mesh.ok('delete_metadata', { nodeName: 'Gandalf', metadata: ['Current Location: Rivendell'] });
    await move('Mordor');
    expect(await targets()).toEqual(['Mordor']);
  });

  test('an edge made by hand survives, although the metadata says what it says', async () => {
    await add({ currentLocation: 'Rivendell' });
    await byHand('Bree');
    await mesh.ok('add_metadata', { nodeName: 'Gandalf', metadata: ['Current Location: Bree'] });
    await move('Mordor');
    expect(await targets()).toEqual(['Bree', 'Mordor']);
  });

  test('an edge made by hand survives that a property names for a while', async () => {
    await add();
    await byHand('Bree');
    await move('Bree');
    await move('Mordor');
    expect(await targets()).toEqual(['Bree', 'Mordor']);
    await move(null);
    expect(await targets()).toEqual(['Bree']);
  });

  test('is known after the store was opened again', async () => {
    await add({ currentLocation: 'Rivendell' });
    await mesh.ok('delete_metadata', { nodeName: 'Gandalf', metadata: ['Current Location: Rivendell'] });
    await mesh.close();
    mesh = await MeshTools.open(await scratch.reopen(), schemas);
    await move('Mordor');
    expect(await targets()).toEqual(['Mordor']);
  });

  test('is told by metadata where edges are older than such records', async () => {
    await mesh.ok('add_nodes', {
      nodes: [
        { name: 'Gandalf', nodeType: 'npc', metadata: ['Role: Wizard', 'Current Location: Rivendell'] },
      ],
    });
    await byHand('Rivendell');
    await byHand('Bree');
    await move('Mordor');
    expect(await targets()).toEqual(['Bree', 'Mordor']);
  });

  test('an update that changes nothing makes no commit', async () => {
    await add({ currentLocation: 'Rivendell' });
    const before = await mesh.commits(scratch.store);
    await move('Rivendell');
    expect(await mesh.commits(scratch.store)).toBe(before);
  });
});
