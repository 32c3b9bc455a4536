import { z } from 'zod';
import { compareText } from '../../model/order.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { onBranch } from './on-branch.js';
import { branchInput } from './shapes.js';

const input = z.object({ branch: branchInput('The branch to look at') });

export const snapshot = defineTool({
  name: 'snapshot',
  title: 'Snapshot',
  description:
    'What a branch holds now, in short: its newest commit, and how many nodes and edges there are of each type.',
  input,
  output: z.object({
    branch: z.string(),
    commit_id: z.string().nullable().describe('Null before the first commit'),
    seq: z.int(),
    types: z.array(z.object({ kind: z.enum(['node', 'edge']), name: z.string(), row_count: z.int().min(0) })),
  }),
  annotations: reads,
  action: onBranch<z.output<typeof input>>('read', ({ branch }) => branch),
  async run({ graph, history }, { branch = graph.branch }) {
    const { commit, seq, state } = await history.readHead(
      branch,
      (reader) => reader.countsByType(),
      'linear',
    );
    return {
      ...{ branch, commit_id: commit, seq },
      types: [...rowsOf('node', state.nodes), ...rowsOf('edge', state.edges)],
    };
  },
});

/** By name, since stores differ in their order. */
function rowsOf<K extends 'node' | 'edge'>(kind: K, counts: ReadonlyMap<string, number>) {
  return [...counts]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, count]) => ({ kind, name, row_count: count }));
}
