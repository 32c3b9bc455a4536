import type { NodeSchema } from '../../src/schema/node-schema.js';
import { parseSchema } from '../../src/schema/parse-schema.js';

/** The schema that a file with this content gives. */
export function schemaOf(content: object): NodeSchema {
  return parseSchema(JSON.stringify(content), 'test.schema.json').schema;
}

/** The example of the seed, section 3.1, with fewer choices. */
export const npc: NodeSchema = schemaOf({
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
