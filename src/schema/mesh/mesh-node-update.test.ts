import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callsOf, guild, npc } from '../../../test/helpers/node-schemas.js';
import { draftMeshNode } from './mesh-node-draft.js';
import { type MeshNodeState, planMeshNodeUpdate } from './mesh-node-update.js';
import type { MeshSchema } from './mesh-schema.js';
import { splitTargetNames } from './metadata/split-target-names.js';
import { parseAddArguments, parseUpdateArguments } from './parse-mesh-arguments.js';

/** The node that a call of `add_<type>` leaves. */
function added(schema: MeshSchema, fields: object): MeshNodeState {
  const { node, edges } = draftMeshNode(schema, parseAddArguments(schema, { [schema.type]: fields }));
  return { name: node.name, facts: node.observations, edges };
}

function revise(schema: MeshSchema, current: MeshNodeState, fields: object) {
  return planMeshNodeUpdate(
    schema,
    current,
    parseUpdateArguments(schema, { [schema.type]: { name: current.name, ...fields } }),
  );
}

const gandalf = { name: 'Gandalf', role: 'Wizard', status: 'Active', currentLocation: 'Rivendell' };

describe('metadata', () => {
  const current: MeshNodeState = {
    name: 'Gandalf',
    facts: ['Role: Wizard', 'Carries a staff', 'Role: Guide', 'Said: you: shall not pass', 'Status: Active'],
    edges: [],
  };

  test('the first entry of a key is replaced in place; the others, and text without a key, survive', () => {
    expect(revise(npc, current, { role: 'Warrior' }).facts).toEqual([
      'Role: Warrior',
      'Carries a staff',
      'Role: Guide',
      'Said: you: shall not pass',
      'Status: Active',
    ]);
  });

  test('new keys go to the end, in Title Case', () => {
    expect(
      revise(npc, current, { eyeColour: 'grey', description: 'Old', traits: ['wise', 'brave'] }).facts,
    ).toEqual([...current.facts, 'Description: Old', 'Traits: wise, brave', 'Eye Colour: grey']);
  });

  test('null and an empty list remove the first entry of a key', () => {
    expect(revise(npc, current, { said: null, traits: [] }).facts).toEqual([
      'Role: Wizard',
      'Carries a staff',
      'Role: Guide',
      'Status: Active',
    ]);
  });

  test('a key in another spelling is the same key', () => {
    const old = { ...current, facts: ['currentLocation: Bree', 'Tall'] };
    expect(revise(npc, old, { currentLocation: 'Moria' }).facts).toEqual(['Current Location: Moria', 'Tall']);
  });

  test('an update of nothing changes nothing', () => {
    expect(revise(npc, current, {})).toMatchObject({ facts: current.facts, addEdges: [], removeEdges: [] });
  });
});

describe('edges', () => {
  test('a changed relationship replaces its edge', () => {
    expect(revise(npc, added(npc, gandalf), { currentLocation: 'Mordor' })).toMatchObject({
      facts: ['Role: Wizard', 'Status: Active', 'Current Location: Mordor'],
      addEdges: [{ from: 'Gandalf', to: 'Mordor', type: 'located_in' }],
      removeEdges: [{ from: 'Gandalf', to: 'Rivendell', type: 'located_in' }],
    });
  });

  test('edges of the same type that something else made stay', () => {
    const node = added(npc, gandalf);
    const current = { ...node, edges: [...node.edges, { type: 'located_in', to: 'Middle-earth' }] };
    expect(revise(npc, current, { currentLocation: 'Mordor' }).removeEdges).toEqual([
      { from: 'Gandalf', to: 'Rivendell', type: 'located_in' },
    ]);
  });

  test('an edge of another type to the same node stays', () => {
    const node = added(guild, { name: 'Smiths', leader: 'Ada', seat: 'Ada' });
    expect(revise(guild, node, { seat: null })).toMatchObject({
      facts: ['Leader: Ada'],
      addEdges: [],
      removeEdges: [{ from: 'Smiths', to: 'Ada', type: 'based_in' }],
    });
  });

  test('an unchanged target keeps its edge', () => {
    expect(
      revise(npc, added(npc, gandalf), { currentLocation: 'Rivendell', status: 'Inactive' }),
    ).toMatchObject({
      addEdges: [],
      removeEdges: [],
    });
  });

  test('an edge that was taken away otherwise is made again', () => {
    const current = { ...added(npc, gandalf), edges: [] };
    expect(revise(npc, current, { currentLocation: 'Rivendell' })).toMatchObject({
      addEdges: [{ from: 'Gandalf', to: 'Rivendell', type: 'located_in' }],
      removeEdges: [],
    });
  });

  test('an edge that another property also names stays', () => {
    const current = added(guild, { name: 'Smiths', leader: 'Ada', members: ['Ada', 'Bob'] });
    expect(revise(guild, current, { leader: 'Cleo' })).toMatchObject({
      addEdges: [{ to: 'Cleo', type: 'has_member' }],
      removeEdges: [],
    });
    expect(revise(guild, current, { members: ['Cleo'] })).toMatchObject({
      addEdges: [{ to: 'Cleo', type: 'has_member' }],
      removeEdges: [{ to: 'Bob', type: 'has_member' }],
    });
  });

  test('two properties that change at once are seen together', () => {
    const current = added(guild, { name: 'Smiths', leader: 'Ada', members: ['Bob'] });
    expect(revise(guild, current, { leader: 'Bob', members: ['Ada'] })).toMatchObject({
      addEdges: [],
      removeEdges: [],
    });
    expect(revise(guild, current, { leader: 'Cleo', members: ['Cleo'] })).toMatchObject({
      addEdges: [{ to: 'Cleo' }],
      removeEdges: [{ to: 'Ada' }, { to: 'Bob' }],
    });
  });

  test('an edge that a further entry of the same key names stays', () => {
    const current: MeshNodeState = {
      name: 'Gandalf',
      facts: ['Current Location: Bree', 'Current Location: Moria', 'Current Location: Bree'],
      edges: [
        { type: 'located_in', to: 'Bree' },
        { type: 'located_in', to: 'Moria' },
      ],
    };
    expect(revise(npc, current, { currentLocation: 'Lorien' })).toMatchObject({
      facts: ['Current Location: Lorien', 'Current Location: Moria', 'Current Location: Bree'],
      addEdges: [{ from: 'Gandalf', to: 'Lorien', type: 'located_in' }],
      removeEdges: [],
    });
  });

  test('names in a list may hold the separator', () => {
    const current = added(guild, { name: 'Smiths', members: ['Smith, John', 'Ada', 'Lee, Ann, Dr'] });
    expect(revise(guild, current, { members: ['Ada'] })).toMatchObject({
      facts: ['Members: Ada'],
      addEdges: [],
      removeEdges: [{ to: 'Smith, John' }, { to: 'Lee, Ann, Dr' }],
    });
  });

  test('a list whose text stays while its names change', () => {
    const current = added(guild, { name: 'Smiths', members: ['Ada, Bob'] });
    expect(revise(guild, current, { members: ['Ada', 'Bob'] })).toMatchObject({
      facts: ['Members: Ada, Bob'],
      addEdges: [
        { from: 'Smiths', to: 'Ada', type: 'has_member' },
        { from: 'Smiths', to: 'Bob', type: 'has_member' },
      ],
      removeEdges: [{ from: 'Smiths', to: 'Ada, Bob', type: 'has_member' }],
    });
  });
});

describe('reading a joined list', () => {
  test.each([
    ['a, b', ['a', 'b'], ['a', 'b']],
    ['a, b', ['a, b', 'a', 'b'], ['a, b']],
    ['a, b, c', ['a', 'b, c'], ['a', 'b, c']],
    ['a, gone, c', ['a', 'c'], ['a', 'c']],
    ['a,, b', ['a,', 'b'], ['a,', 'b']],
    ['a, , b', ['a, ', 'b'], ['a, ', 'b']],
    ['ab', ['a', 'b'], []],
    ['', ['a'], []],
    ['a', [], []],
  ])('%j with edges to %j names %j', (joined, targets, names) => {
    expect(splitTargetNames(joined, new Set(targets))).toEqual(names);
  });

  test('long lists are read in one pass', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `Number ${index}`);
    expect(splitTargetNames(names.join(', '), new Set(names))).toEqual(names);
  });
});

describe.each([
  ['npc', npc],
  ['guild', guild],
] as const)('for every %s', (type, schema) => {
  test('an update with the same values is the identity', () => {
    fc.assert(
      fc.property(callsOf(schema), fc.array(fc.string()), (call, further) => {
        const node = added(schema, call);
        const current = { ...node, facts: [...node.facts, ...further] };
        const args = parseAddArguments(schema, { [type]: call });
        expect(planMeshNodeUpdate(schema, current, args)).toMatchObject({
          facts: current.facts,
          addEdges: [],
          removeEdges: [],
        });
      }),
    );
  });

  test('facts that an update does not name survive, in their order', () => {
    fc.assert(
      fc.property(callsOf(schema), callsOf(schema), fc.array(fc.string()), (before, after, further) => {
        const node = added(schema, before);
        const facts = [...further, ...node.facts];
        const revised = revise(schema, { ...node, facts }, { ...after, name: node.name }).facts;
        const named = new Set(node.facts);
        const rest = facts.filter((fact) => !named.has(fact));
        expect(revised.filter((fact) => rest.includes(fact))).toEqual(rest);
      }),
    );
  });

  test('an update leaves the edges that the metadata names', () => {
    fc.assert(
      fc.property(callsOf(schema), callsOf(schema), (before, after) => {
        const node = added(schema, before);
        fc.pre(readsAsMeant(node, before['members']));
        const merged = added(schema, { ...before, ...after, name: node.name });
        const { addEdges, removeEdges } = revise(schema, node, { ...after, name: node.name });
        const removed = new Set(removeEdges.map(edgeText));
        const left = [
          ...node.edges.map(edgeText).filter((edge) => !removed.has(edge)),
          ...addEdges.map(edgeText),
        ];
        expect(new Set(left)).toEqual(new Set(merged.edges.map(edgeText)));
      }),
    );
  });
});

/** Whether a list can be recovered from its joined text: `Ada, Bob` may be one name or two, if there are edges to all three. */
function readsAsMeant({ edges }: MeshNodeState, members: unknown): boolean {
  if (!Array.isArray(members)) return true;
  const targets = new Set(edges.filter(({ type }) => type === 'has_member').map(({ to }) => to));
  return JSON.stringify(splitTargetNames(members.join(', '), targets)) === JSON.stringify(members);
}

function edgeText({ type, to }: { readonly type: string; readonly to: string }): string {
  return JSON.stringify([type, to]);
}
