import fc from 'fast-check';
import type { MeshProperty, MeshSchema } from '../../src/schema/mesh/mesh-schema.js';
import { parseMeshSchema } from '../../src/schema/mesh/parse-mesh-schema.js';

/** The schema that a file with this content gives. */
export function schemaOf(content: object): MeshSchema {
  return parseMeshSchema(JSON.stringify(content), 'test.schema.json').schema;
}

/** The example of the seed, section 3.1, with fewer choices. */
export const npc: MeshSchema = schemaOf({
  name: 'add_npc',
  description: 'Add a non-player character to the knowledge graph',
  properties: {
    name: { type: 'string', description: 'The name of the NPC', required: true },
    role: {
      type: 'string',
      description: "The NPC's role",
      required: true,
      enum: ['Warrior', 'Wizard', 'Merchant'],
    },
    status: {
      type: 'string',
      description: 'Current status',
      required: true,
      enum: ['Active', 'Inactive'],
    },
    currentLocation: {
      type: 'string',
      description: 'Where the NPC currently is',
      required: false,
      relationship: {
        edgeType: 'located_in',
        nodeType: 'location',
        description: 'The location where this NPC resides',
      },
    },
    description: { type: 'string', description: 'Physical or personality description' },
    traits: { type: 'array', description: 'Character traits' },
  },
  additionalProperties: true,
});

/** A schema with two properties that make edges of the same type, one of them a list, and a third of another. */
export const guild: MeshSchema = schemaOf({
  name: 'add_guild',
  description: 'Add a guild',
  properties: {
    leader: { type: 'string', description: 'Who leads it', relationship: { edgeType: 'has_member' } },
    members: { type: 'array', description: 'Who is in it', relationship: { edgeType: 'has_member' } },
    seat: { type: 'string', description: 'Where it is', relationship: { edgeType: 'based_in' } },
    motto: { type: 'string', description: 'What it says' },
  },
});

/** Names and texts as agents give them, with what makes them hard: separators, line breaks, other scripts. */
const name = fc
  .array(fc.constantFrom('Ada', 'Smith', ', ', ',', ': ', ' ', 'é', '名'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const text = fc.oneof(name, fc.string(), fc.constant('two\nlines'), fc.constant(''));

/** Fields that `add_<type>` of a schema takes. */
export function callsOf(schema: MeshSchema): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = Object.fromEntries(
    schema.properties.map((property) => [property.name, valuesOf(property)] as const),
  );
  const required = schema.properties.filter((property) => property.required).map((property) => property.name);
  return fc.record(fields, { requiredKeys: required });
}

function valuesOf(property: MeshProperty): fc.Arbitrary<unknown> {
  const isName = property.name === 'name' || property.relationship !== undefined;
  const one = property.enum === undefined ? (isName ? name : text) : fc.constantFrom(...property.enum);
  switch (property.type) {
    case 'array':
      return fc.array(one, { minLength: 1, maxLength: 4 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'string':
      return one;
  }
}
