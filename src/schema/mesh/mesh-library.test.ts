import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guild, npc } from '../../../test/helpers/node-schemas.js';
import { createSchemaNode } from './create-schema-node.js';
import { parseMeshSchema } from './parse-mesh-schema.js';
import { SchemaBuilder } from './schema-builder.js';
import { SchemaLoader } from './schema-loader.js';

const builder = () =>
  new SchemaBuilder('add_npc', 'Add an NPC')
    .addStringProperty('name', 'The name of the NPC', true)
    .addStringProperty('role', 'The role', true, ['Warrior', 'Wizard'])
    .addArrayProperty('traits', 'Character traits', false)
    .addRelationship('currentLocation', 'located_in', 'Where the NPC is', 'location')
    .allowAdditionalProperties(false);

describe('SchemaBuilder', () => {
  test('builds what a schema file holds', () => {
    expect(builder().build()).toEqual({
      name: 'add_npc',
      description: 'Add an NPC',
      properties: {
        name: { type: 'string', description: 'The name of the NPC', required: true },
        role: { type: 'string', description: 'The role', required: true, enum: ['Warrior', 'Wizard'] },
        traits: { type: 'array', description: 'Character traits', required: false },
        currentLocation: {
          type: 'string',
          description: 'Where the NPC is',
          required: false,
          relationship: { edgeType: 'located_in', nodeType: 'location' },
        },
      },
      additionalProperties: false,
    });
  });

  test.each([
    ['npc', npc],
    ['guild', guild],
  ])('a file made of what it builds says the same: %s', (_, schema) => {
    const built = SchemaBuilder.from(schema).build();
    expect(parseMeshSchema(JSON.stringify(built), 'x.schema.json').schema).toEqual(schema);
  });

  test('a relationship may be added to an existing property', () => {
    const { properties } = new SchemaBuilder('add_guild', 'x')
      .addArrayProperty('members', 'Who is in it', true)
      .addRelationship('members', 'has_member', 'One of them')
      .build();
    expect(properties['members']).toEqual({
      type: 'array',
      description: 'Who is in it',
      required: true,
      relationship: { edgeType: 'has_member', description: 'One of them' },
    });
  });

  test('the update variant requires the name alone, and leaves the first as it is', () => {
    const first = builder();
    const update = first.createUpdateSchema().build();
    expect(update.name).toBe('update_npc');
    expect(update.additionalProperties).toBe(false);
    expect(Object.entries(update.properties).map(([name, { required }]) => [name, required])).toEqual([
      ['name', true],
      ['role', false],
      ['traits', false],
      ['currentLocation', false],
    ]);
    expect(update.properties['currentLocation']?.relationship?.edgeType).toBe('located_in');
    expect(first.build().properties['role']?.required).toBe(true);
  });

  test.each([
    ['a name without the prefix', new SchemaBuilder('npc', 'x')],
    ['a name that shadows a tool', new SchemaBuilder('add_nodes', 'x')],
    ['an empty enum', builder().addStringProperty('mood', 'x', false, [])],
    ['__proto__', builder().addStringProperty('__proto__', 'x', false)],
  ])('%s is refused like in a file', (_, wrong) => {
    expect(() => wrong.build()).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
  });
});

describe('SchemaLoader', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'trellis-loader-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const write = (type: string, content: object) =>
    writeFile(join(dir, `${type}.schema.json`), JSON.stringify(content));

  test('loads a valid schema', async () => {
    await write('npc', builder().build());
    expect(new SchemaLoader(dir).loadSchema('npc').build()).toEqual(builder().build());
  });

  test('rejects a schema without the prefix', async () => {
    await write('npc', { ...builder().build(), name: 'npc' });
    expect(() => new SchemaLoader(dir).loadSchema('npc')).toThrow(/name is "npc"; it must be "add_"/);
  });

  test('loads all schemas of a folder', async () => {
    for (const type of ['npc', 'town', 'artifact'])
      await write(type, { ...builder().build(), name: `add_${type}` });
    const schemas = new SchemaLoader(dir).loadAllSchemas();
    expect([...schemas.keys()]).toEqual(['artifact', 'npc', 'town']);
    expect(schemas.get('town')?.build().name).toBe('add_town');
  });

  test.each(['missing', '../npc', '', 'a/b'])('refuses to load %j', (name) => {
    expect(() => new SchemaLoader(dir).loadSchema(name)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID' }),
    );
  });

  test('refuses a folder that is not there', () => {
    expect(() => new SchemaLoader(join(dir, 'none')).loadAllSchemas()).toThrow(
      expect.objectContaining({ code: 'SCHEMA_SOURCE_UNAVAILABLE' }),
    );
  });
});

describe('createSchemaNode', () => {
  test('makes a node and its edges', () => {
    const args = { name: 'Gandalf', role: 'Wizard', currentLocation: 'Rivendell', traits: ['wise', 'old'] };
    expect(createSchemaNode(args, builder(), 'npc')).toEqual({
      nodes: [
        {
          name: 'Gandalf',
          nodeType: 'npc',
          metadata: ['Role: Wizard', 'Traits: wise, old', 'Current Location: Rivendell'],
        },
      ],
      edges: [{ from: 'Gandalf', to: 'Rivendell', edgeType: 'located_in' }],
    });
  });

  test.each([
    ['a value beyond the enum', { name: 'Smaug', role: 'Dragon' }, /role is "Dragon", but must be one of/],
    ['a missing value', { name: 'Smaug' }, /role is missing/],
    ['no name', { role: 'Wizard' }, /name is missing/],
  ])('refuses %s', (_, args, message) => {
    expect(() => createSchemaNode(args, builder(), 'npc')).toThrow(message);
  });
});
