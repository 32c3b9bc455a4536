import { z } from 'zod';
import { compareText } from '../../model/order.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { branchInput, branchPermission, commitIds } from './graph-shapes.js';

const input = z.object({ branch: branchInput('The branch to look at') });

export const graphSnapshot = defineTool({
  name: 'snapshot',
  title: 'Snapshot',
  description:
    'Get an overview of a branch: its newest commit, and the number of nodes and edges of each type.',
  input,
  output: z.object({
    branch: z.string(),
    commit_id: z.string().nullable().describe('Null before the first commit'),
    graph_commit_id: z.string().nullable(),
    seq: z.int(),
    types: z.array(z.object({ kind: z.enum(['node', 'edge']), name: z.string(), row_count: z.int().min(0) })),
  }),
  annotations: reads,
  action: branchPermission<z.output<typeof input>>('read', ({ branch }) => branch),
  async run({ graph, history }, { branch = graph.branch }) {
    const { commit, seq, state } = await history.readHead(
      branch,
      (reader) => reader.countsByType(),
      'linear',
    );
    return {
      ...{ branch, ...commitIds(commit), seq },
      types: [...typeCounts('node', state.nodes), ...typeCounts('edge', state.edges)],
    };
  },
});

/** Stores differ in their order. */
function typeCounts<K extends 'node' | 'edge'>(kind: K, counts: ReadonlyMap<string, number>) {
  return [...counts]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, count]) => ({ kind, name, row_count: count }));
}
