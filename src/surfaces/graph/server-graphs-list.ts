import { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';

export const serverGraphsList = defineTool({
  name: 'graphs_list',
  title: 'List graphs',
  description: 'List the graphs on this server that you can reach. Each has its own endpoint.',
  input: z.object({}),
  output: z.object({ graphs: z.array(z.object({ graph_id: z.string() })) }),
  annotations: reads,
  action: 'graph_list',
  async run({ server }) {
    return { graphs: (await server.graphs()).map((name) => ({ graph_id: name })) };
  },
});
