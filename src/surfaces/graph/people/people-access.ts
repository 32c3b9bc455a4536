import { z } from 'zod';
import { actions, atLeastOne } from '../../../access/permission.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';

export const peopleAccess = defineTool({
  name: 'people_access',
  title: 'Get your access',
  description: 'Get who you are, and what the policy lets you do on a branch of this graph.',
  input: z.object({ branch: branchInput('The branch to ask about') }),
  output: z.object({
    actor_id: z.string(),
    actions: z.array(z.enum(actions)).describe('invoke_query means at least one stored query'),
  }),
  annotations: reads,
  // What it returns is about the caller alone.
  action: () => [],
  async run({ actor, graph, may }, { branch = graph.branch }) {
    const allowed = actions.filter((action) => may([{ action, branch, query: atLeastOne }]));
    return { actor_id: actor.id, actions: allowed };
  },
});
