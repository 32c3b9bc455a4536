import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callsOf, guild, npc } from '../../../test/helpers/node-schemas.js';
import { draftMeshNode } from './mesh-node-draft.js';
import { parseAddArguments } from './parse-mesh-arguments.js';

test('a node has a metadata entry for each value, and none for its name', () => {
  const args = parseAddArguments(npc, { npc: { name: 'Gandalf', role: 'Wizard', status: 'Active' } });
  expect(draftMeshNode(npc, args)).toMatchObject({
    node: { type: 'npc', name: 'Gandalf', observations: ['Role: Wizard', 'Status: Active'] },
    edges: [],
  });
});

test('a relationship creates an edge and an entry', () => {
  const args = parseAddArguments(npc, {
    npc: { name: 'Gandalf', role: 'Wizard', status: 'Active', currentLocation: 'Rivendell' },
  });
  expect(draftMeshNode(npc, args)).toMatchObject({
    node: {
      type: 'npc',
      name: 'Gandalf',
      observations: ['Role: Wizard', 'Status: Active', 'Current Location: Rivendell'],
    },
    edges: [{ from: 'Gandalf', to: 'Rivendell', type: 'located_in' }],
  });
});

test('lists are joined, and what the schema does not declare comes last', () => {
  const args = parseAddArguments(npc, {
    npc: {
      weapon: 'staff',
      eyeColour: 'grey',
      traits: ['brave', 'wise'],
      description: 'Grey.\nLater: white.',
      name: 'Gandalf',
      role: 'Wizard',
      status: 'Active',
    },
  });
  expect(draftMeshNode(npc, args).node.observations).toEqual([
    'Role: Wizard',
    'Status: Active',
    'Description: Grey.\nLater: white.',
    'Traits: brave, wise',
    'Weapon: staff',
    'Eye Colour: grey',
  ]);
});

test('a list of nodes makes an edge to each, and no edge twice', () => {
  const args = parseAddArguments(guild, {
    guild: { name: 'Smiths', leader: 'Ada', members: ['Ada', 'Smith, John', 'Ada'], seat: 'Bree' },
  });
  expect(draftMeshNode(guild, args)).toMatchObject({
    node: {
      type: 'guild',
      name: 'Smiths',
      observations: ['Leader: Ada', 'Members: Ada, Smith, John, Ada', 'Seat: Bree'],
    },
    edges: [
      { from: 'Smiths', to: 'Ada', type: 'has_member' },
      { from: 'Smiths', to: 'Smith, John', type: 'has_member' },
      { from: 'Smiths', to: 'Bree', type: 'based_in' },
    ],
  });
});

test('whatever a schema allows can be described', () => {
  fc.assert(
    fc.property(callsOf(npc), (call) => {
      const { node, edges } = draftMeshNode(npc, parseAddArguments(npc, { npc: call }));
      expect(node.name).toBe(call['name']);
      expect(node.observations).toHaveLength(Object.keys(call).length - 1);
      expect(edges.map(({ to }) => to)).toEqual('currentLocation' in call ? [call['currentLocation']] : []);
    }),
  );
});
