import { z } from 'zod';
import { createEdgesLenient } from '../../engine/write/create-edges-lenient.js';
import { adds } from '../annotations.js';
import { defineTool } from '../tool.js';
import { batch, endTypes, givenRelationOf, relationInput, specOf } from './shapes.js';

export const createRelations = defineTool({
  name: 'create_relations',
  title: 'Create relations',
  description:
    'Create directed, typed relations between existing nodes. ' +
    'Those that exist are left as they are; one that names an unknown node is not created, and the name is reported.',
  input: z.object({ relations: batch(relationInput.extend(endTypes), 'The relations to create') }),
  output: z.object({
    created: z.array(relationInput),
    already_existed: z.array(relationInput),
    not_found: z.array(z.string()).describe('Names that no node has'),
  }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { relations }) {
    const { created, existed, notFound } = await graph.write((tx) =>
      createEdgesLenient(tx, relations.map(specOf)),
    );
    return {
      created: created.map(givenRelationOf),
      already_existed: existed.map(givenRelationOf),
      not_found: [...notFound],
    };
  },
});
