import { z } from 'zod';
import { addObservationsStrict as add } from '../../engine/write/add-observations-strict.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { defineTool, jsonText } from '../tool.js';
import { adds } from '../tool-annotations.js';
import { observationText } from './memory-shapes.js';

export const memoryAddObservations = defineTool({
  name: 'add_observations',
  title: 'Add observations',
  description:
    'Add new observations to existing entities in the knowledge graph. ' +
    'All or nothing: an unknown entity fails the whole call. For an entity that does not exist yet, use create_entities.',
  input: z.object({
    observations: batchInput(
      z.object({
        entityName: z.string().describe('The name of the entity'),
        entityType: typeInput(),
        contents: batchInput(observationText, 'Facts to add, one per string'),
      }),
      'What to add to which entity',
    ),
  }),
  output: z.object({
    results: z.array(
      z.object({
        entityName: z.string(),
        addedObservations: z.array(z.string()).describe('What the entity did not have yet'),
      }),
    ),
  }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { observations }) {
    const items = observations.map((item) => ({
      name: item.entityName,
      type: item.entityType,
      texts: item.contents,
    }));
    const added = await graph.write((tx) => add(tx, items));
    return { results: added.map(({ name, texts }) => ({ entityName: name, addedObservations: [...texts] })) };
  },
  text: ({ results }) => [jsonText(results)],
});
