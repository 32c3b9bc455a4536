import { describe, expect, test } from 'vitest';
import { parseGraphSchema } from '../../schema/graph/parse-graph-schema.js';
import { graphSchemaToDocument } from './graph-schema-document.js';
import { parseRegistryDocument } from './parse-registry-document.js';
import { RegistrySnapshot } from './registry-snapshot.js';

const source = `
  node Person @rename_from("Human") {
    email: String @key
    born: Date?
    age: I32
    wealth: I64
    level: enum(low, high) @default(low)
    tags: [String]?
    taste: Vector(2)?
    source: String
  }
  node Place { name: String @key }
  edge LivesIn: Person -> Place { since: DateTime }
`;

describe('a .pg schema as a schema of the gate', () => {
  const load = async () =>
    new RegistrySnapshot(
      parseRegistryDocument(graphSchemaToDocument(parseGraphSchema(source)), 'the graph work'),
    );

  test('has a label for each node, with what is required and has no default', async () => {
    const registry = await load();
    expect(registry.allCanonicalLabels()).toEqual(['Person', 'Place']);
    expect(registry.getEntry('Person')).toEqual({
      label: 'Person',
      remaps_from: ['Human'],
      required_properties: ['email', 'age', 'wealth'],
      property_types: {
        email: 'string',
        born: 'datetime',
        age: 'integer',
        level: 'string',
        tags: 'list',
        taste: 'list',
      },
    });
  });

  test('absorbs the label that a node had before', async () => {
    expect((await load()).remapTarget('Human')).toBe('Person');
  });

  test('does not absorb a label that is in use again', () => {
    const schema = parseGraphSchema('node A @rename_from("B") {} node B {}');
    expect(graphSchemaToDocument(schema).nodes?.[0]?.remaps_from).toEqual([]);
  });

  test('leaves fields that only the gate computes to the gate', async () => {
    expect((await load()).getEntry('Person')?.property_types).not.toHaveProperty('source');
  });

  test('has a relationship for each edge, between its ends', async () => {
    expect((await load()).getRelation('LivesIn')).toEqual({
      type: 'LivesIn',
      from_labels: ['Person'],
      to_labels: ['Place'],
      required_properties: ['since'],
      property_types: { since: 'datetime' },
    });
  });

  test('leaves out the label that the gate keeps its own schemas under', () => {
    const schema = parseGraphSchema('node Schema {} node Other {}');
    expect(graphSchemaToDocument(schema).nodes?.map(({ label }) => label)).toEqual(['Other']);
  });
});
