import { z } from 'zod';
import { defineTool, type Tool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import {
  type QuerySettings,
  queryOutput,
  querySource,
  sourceAliases,
  sourceInput,
  toQueryOutput,
} from './graph-query-shapes.js';
import { branchInput, commitId } from './graph-shapes.js';
import { readPermissions, resolveReadableState } from './readable-state.js';

const input = z.object({
  ...sourceInput,
  branch: branchInput('The branch to read'),
  snapshot: commitId('A commit, to read the graph as it was then, instead of a branch').optional(),
  explain: z.boolean().optional().describe('Return the plan without reading rows; default: false'),
});

export function graphQuery({ embed, maxRows }: QuerySettings): Tool<z.output<typeof input>> {
  return defineTool({
    name: 'query',
    aliases: ['read'],
    argumentAliases: sourceAliases,
    title: 'Query',
    description:
      'Query the graph in the .gq language and get rows: query who($city: String) { match { $p: Person { city: $city } } return { $p.name } }. ' +
      'The query is checked against the schema (schema_get) before it runs; an error names line and column. To write, use mutate.',
    input,
    output: queryOutput,
    annotations: reads,
    action: readPermissions,
    async run(call, { name, params, explain = false, ...given }) {
      const source = querySource('query', given);
      const state = await resolveReadableState(call, given);
      const request = { source, name, params, snapshot: state.snapshot, maxRows };
      const { executeQuery, explainQuery } = await import('../../query/execute-query.js');
      const context = { clock: call.now, embed };
      if (!explain) return toQueryOutput(await executeQuery(state.graph, request, context), state);
      const { plan, ...answer } = await explainQuery(state.graph, request, context);
      return { ...toQueryOutput({ ...answer, rows: [] }, state), plan: [...plan.steps] };
    },
  });
}
