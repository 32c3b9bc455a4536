import { z } from 'zod';
import { createEdgesWithStubs } from '../../engine/write/create-edges-with-stubs.js';
import { batchInput } from '../common-shapes.js';
import { defineTool, jsonText } from '../tool.js';
import { adds } from '../tool-annotations.js';
import {
  memoryEdgeSpec,
  memoryRelationInput,
  memoryRelationOutput,
  toMemoryRelation,
} from './memory-shapes.js';

export const memoryCreateRelations = defineTool({
  name: 'create_relations',
  title: 'Create relations',
  description:
    'Create multiple new relations between entities in the knowledge graph. Relations are directed edges. ' +
    'Relations that exist already are skipped. To record a fact about a single entity, use add_observations instead.',
  input: z.object({ relations: batchInput(memoryRelationInput, 'The relations to create') }),
  output: z.object({ relations: z.array(memoryRelationOutput).describe('The relations that were created') }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { relations }) {
    const created = await graph.write((tx) => createEdgesWithStubs(tx, relations.map(memoryEdgeSpec)));
    return { relations: created.map(toMemoryRelation) };
  },
  text: ({ relations }) => [jsonText(relations)],
});
