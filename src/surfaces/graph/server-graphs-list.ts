import { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';

export const serverGraphsList = defineTool({
  name: 'graphs_list',
  title: 'List graphs',
  description: 'The graphs on this server that you can reach, by name. Each has an endpoint of its own.',
  input: z.object({}),
  output: z.object({ graphs: z.array(z.object({ graph_id: z.string() })) }),
  annotations: reads,
  action: 'graph_list',
  async run({ server }) {
    return { graphs: (await server.graphs()).map((name) => ({ graph_id: name })) };
  },
});
