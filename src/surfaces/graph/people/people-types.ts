import { z } from 'zod';
import { compareText } from '../../../model/order.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';
import { readPermission, readState } from './people-shapes.js';

const countsOutput = z.array(z.object({ type: z.string(), count: z.int() }));

export const peopleTypes = defineTool({
  name: 'people_types',
  title: 'Count types',
  description: 'Count the nodes and edges of each type, the most frequent type first.',
  input: z.object({ branch: branchInput('The branch to read') }),
  output: z.object({ node_types: countsOutput, edge_types: countsOutput }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  async run(call, { branch }) {
    const { nodes, edges } = await readState(call, { branch }, (reader) => reader.countsByType(), 'linear');
    return { node_types: mostFirst(nodes), edge_types: mostFirst(edges) };
  },
});

function mostFirst(counts: ReadonlyMap<string, number>) {
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || compareText(a, b))
    .map(([type, count]) => ({ type, count }));
}
