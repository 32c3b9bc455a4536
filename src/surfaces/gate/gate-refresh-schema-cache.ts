import { z } from 'zod';
import type { Tool } from '../tool.js';
import { refreshes } from '../tool-annotations.js';
import { rejectionOutput } from './gate-shapes.js';
import { defineGateTool, type OpenedGate } from './gate-tool.js';

export function gateRefreshSchemaCache(opened: OpenedGate): Tool {
  return defineGateTool(opened, {
    name: 'refresh_schema_cache',
    title: 'Refresh the schema',
    description:
      'Reload the schema from its source after it was changed. ' +
      'If that fails, the present schema stays in force.',
    annotations: refreshes,
    input: z.object({}),
    output: z.object({
      loaded: z.int().optional().describe('How many labels are registered'),
      relationship_types: z.int().optional().describe('How many relationship types are registered'),
      labels: z.array(z.string()).optional().describe('The labels'),
      relationship_type_names: z.array(z.string()).optional().describe('The relationship types'),
      status: z.enum(['rejected']).optional().describe('Only if it failed'),
      ...rejectionOutput,
    }),
    run: (_target, author, _given, view) => opened.gate.refreshSchema(author, view),
  });
}
