import { z } from 'zod';
import type { GraphSearch } from '../../../search/graph-search.js';
import { defineTool, type Tool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { readableBranchNames } from '../graph-branches-list.js';
import { branchInput } from '../graph-shapes.js';
import { readPermission, readState } from './people-shapes.js';

const input = z.object({ branch: branchInput('The branch to read') });

export function peopleStats(search: GraphSearch): Tool<z.output<typeof input>> {
  return defineTool({
    name: 'people_stats',
    title: 'Get stats',
    description: 'Count what a branch holds, and report how much of it is searchable by meaning.',
    input,
    output: z.object({
      graph: z.string(),
      branch: z.string(),
      store: z.enum(['sqlite', 'postgres', 'jsonl']),
      nodes: z.int(),
      edges: z.int(),
      observations: z.int(),
      commits: z.int().describe('Of the branch, including merged ones'),
      branches: z.int().describe('Those that you may read'),
      embedding_coverage: z.number().min(0).max(1).describe('The share of the observations that is embedded'),
    }),
    annotations: reads,
    action: readPermission,
    hidesRegistry: true,
    async run(call, { branch = call.graph.branch }) {
      const coverageOf = await search.coverage();
      const { counts, coverage } = await readState(
        call,
        { branch },
        async (reader) => ({ counts: await reader.counts(), coverage: await coverageOf(reader) }),
        'linear',
      );
      return {
        ...{ graph: call.graph.name, branch, store: call.history.storeKind },
        ...{ nodes: counts.nodes, edges: counts.edges, observations: counts.observations },
        commits: await call.history.countCommits(branch),
        branches: (await readableBranchNames(call)).length,
        embedding_coverage: coverage,
      };
    },
  });
}
