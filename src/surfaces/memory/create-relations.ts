import { z } from 'zod';
import { createEdgesWithStubs } from '../../engine/write/create-edges-with-stubs.js';
import { adds } from '../annotations.js';
import { defineTool, jsonText } from '../tool.js';
import { batch, edgeSpecOf, relationInput, relationOf, relationOutput } from './shapes.js';

export const createRelations = defineTool({
  name: 'create_relations',
  title: 'Create relations',
  description:
    'Create multiple new relations between entities in the knowledge graph. Relations are directed edges. ' +
    'Relations that exist already are skipped. To record a fact about a single entity, use add_observations instead.',
  input: z.object({ relations: batch(relationInput, 'The relations to create') }),
  output: z.object({ relations: z.array(relationOutput).describe('The relations that were created') }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { relations }) {
    const created = await graph.write((tx) => createEdgesWithStubs(tx, relations.map(edgeSpecOf)));
    return { relations: created.map(relationOf) };
  },
  text: ({ relations }) => [jsonText(relations)],
});
