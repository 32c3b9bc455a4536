import { z } from 'zod';
import { createEdgesLenient } from '../../engine/write/create-edges-lenient.js';
import { batchInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { adds } from '../tool-annotations.js';
import {
  endTypeFields,
  toWorkspaceRelation,
  workspaceEdgeSpec,
  workspaceRelationInput,
} from './workspace-shapes.js';

export const workspaceCreateRelations = defineTool({
  name: 'create_relations',
  title: 'Create relations',
  description:
    'Create directed, typed relations between existing nodes. ' +
    'Existing relations are left unchanged. A relation that names an unknown node is not created, and the name is reported.',
  input: z.object({
    relations: batchInput(workspaceRelationInput.extend(endTypeFields), 'The relations to create'),
  }),
  output: z.object({
    created: z.array(workspaceRelationInput),
    already_existed: z.array(workspaceRelationInput),
    not_found: z.array(z.string()).describe('Unknown names'),
  }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { relations }) {
    const { created, existed, notFound } = await graph.write((tx) =>
      createEdgesLenient(tx, relations.map(workspaceEdgeSpec)),
    );
    return {
      created: created.map(toWorkspaceRelation),
      already_existed: existed.map(toWorkspaceRelation),
      not_found: [...notFound],
    };
  },
});
