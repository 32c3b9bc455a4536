import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { npc, schemaOf } from '../../../test/helpers/node-schemas.js';
import { addInputSchema, deleteInputSchema, updateInputSchema } from './mesh-input-schemas.js';
import { estimateTokens, listMeshTools } from './mesh-tool-list.js';

const fields = {
  name: { type: 'string', description: 'The name of the NPC' },
  role: {
    type: 'string',
    description: "The NPC's role",
    enum: ['Warrior', 'Wizard', 'Merchant'],
  },
  status: { type: 'string', description: 'Current status', enum: ['Active', 'Inactive'] },
  currentLocation: {
    type: 'string',
    description:
      'Where the NPC currently is. The location where this NPC resides. Names an existing location; creates the edge located_in.',
  },
  description: { type: 'string', description: 'Physical or personality description' },
  traits: { type: 'array', items: { type: 'string' }, description: 'Character traits' },
};

describe('the tools of the npc schema', () => {
  test('add_npc', () => {
    expect(addInputSchema(npc)).toEqual({
      type: 'object',
      properties: {
        npc: { type: 'object', properties: fields, required: ['name', 'role', 'status'] },
      },
      required: ['npc'],
      additionalProperties: false,
    });
  });

  test('trust 8: update_npc requires the name alone, and says what null removes', () => {
    const properties = {
      ...fields,
      currentLocation: { ...fields.currentLocation, type: ['string', 'null'] },
      description: { ...fields.description, type: ['string', 'null'] },
      traits: { ...fields.traits, type: ['array', 'null'] },
    };
    expect(updateInputSchema(npc)).toEqual({
      type: 'object',
      properties: {
        npc: { type: 'object', properties, required: ['name'], description: expect.any(String) },
      },
      required: ['npc'],
      additionalProperties: false,
    });
  });

  test('delete_npc', () => {
    expect(deleteInputSchema(npc)).toEqual({
      type: 'object',
      properties: {
        npc: {
          type: 'object',
          properties: { name: { type: 'string', description: 'The name of the npc to delete' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
      required: ['npc'],
      additionalProperties: false,
    });
  });
});

const party = schemaOf({
  name: 'add_party',
  description: 'Add a party',
  properties: {
    members: {
      type: 'array',
      description: 'Who belongs to it',
      required: true,
      relationship: { edgeType: 'has_member' },
    },
    moods: { type: 'array', description: 'How they feel', enum: ['Merry', 'Tired'] },
    size: { type: 'integer', description: 'How many they are' },
    constructor: { type: 'boolean', description: 'Whether they build' },
  },
  additionalProperties: false,
});

test('lists of nodes, lists of choices, numbers, and closed schemas', () => {
  expect(addInputSchema(party)).toMatchObject({
    properties: {
      party: {
        properties: {
          members: {
            type: 'array',
            items: { type: 'string' },
            description:
              'Who belongs to it. Each item names an existing node and creates an edge has_member.',
          },
          moods: { type: 'array', items: { type: 'string', enum: ['Merry', 'Tired'] } },
          size: { type: 'integer' },
          constructor: { type: 'boolean' },
        },
        required: ['name', 'members'],
        additionalProperties: false,
      },
    },
  });
});

test('trust 8: choices that an update may remove are texts or null', () => {
  const mood = schemaOf({
    name: 'add_mood',
    description: 'Add a mood',
    properties: { kind: { type: 'string', description: 'Which', enum: ['Merry', 'Tired'] } },
  });
  expect(updateInputSchema(mood)).toMatchObject({
    properties: {
      mood: {
        properties: {
          kind: { anyOf: [{ type: 'string', enum: ['Merry', 'Tired'] }, { type: 'null' }] },
        },
      },
    },
  });
});

test.each([
  ['npc', npc],
  ['party', party],
])('the schemas of %s are valid JSON Schema 2020-12', (_, schema) => {
  for (const { inputSchema } of listMeshTools(schema)) {
    expect(() => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(inputSchema)).not.toThrow();
  }
});

test('a schema makes three tools, whose size is counted as they are sent', () => {
  const tools = listMeshTools(npc);
  expect(tools.map(({ name }) => name)).toEqual(['add_npc', 'update_npc', 'delete_npc']);
  expect(tools[0]?.description).toBe('Add a non-player character to the knowledge graph');
  expect(estimateTokens(tools)).toBe(Math.ceil(JSON.stringify(tools).length / 4));
});
