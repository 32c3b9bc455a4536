import { z } from 'zod';
import { createNodesLenient } from '../../engine/write/create-nodes-lenient.js';
import { listNames } from '../../model/quoting.js';
import { batchInput } from '../common-shapes.js';
import { defineTool, jsonText } from '../tool.js';
import { adds } from '../tool-annotations.js';
import { entityInput, entityOutput, toMemoryEntity } from './memory-shapes.js';

export const memoryCreateEntities = defineTool({
  name: 'create_entities',
  title: 'Create entities',
  description:
    'Create multiple new entities in the knowledge graph. ' +
    'An entity whose name exists already is left as it is and named in skipped: use add_observations to add facts to it.',
  input: z.object({ entities: batchInput(entityInput, 'The entities to create') }),
  output: z.object({
    entities: z.array(entityOutput).describe('The entities that were created'),
    skipped: z.array(z.string()).optional().describe('Names that existed already; they were not changed'),
  }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { entities }) {
    const specs = entities.map(({ entityType: type, ...entity }) => ({ ...entity, type }));
    const { created, skipped } = await graph.write((tx) => createNodesLenient(tx, specs));
    return {
      entities: created.map(toMemoryEntity),
      ...(skipped.length > 0 ? { skipped: [...skipped] } : {}),
    };
  },
  text({ entities, skipped }) {
    if (skipped === undefined) return [jsonText(entities)];
    const note = `Skipped, because they already exist: ${listNames(skipped)}. Use add_observations for them.`;
    return [jsonText(entities), note];
  },
});
