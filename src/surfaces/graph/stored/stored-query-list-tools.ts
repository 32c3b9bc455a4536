import { z } from 'zod';
import { atLeastOne, type Permission } from '../../../access/permission.js';
import { describeStoredQuery, type StoredQuery } from '../../../query/stored/stored-query.js';
import { defineTool, type Tool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { storedQueryPermissions } from './run-stored-query.js';
import { listOutput } from './stored-query-shapes.js';

/** For graphs with too many queries for one tool each. */
export function storedQueryList(queries: readonly StoredQuery[]): Tool<Record<string, never>> {
  return listTool(queries, {
    name: 'stored_query_list',
    description:
      'List the stored queries of this graph that you can run, with their purpose and parameters. Run one with stored_query_run.',
    action: () => [{ action: 'invoke_query', query: atLeastOne, branch: atLeastOne }],
  });
}

/** `GET /graphs/{graph}/queries`: also queries that are not tools. Without invoke_query, the list is empty. */
export function queriesList(queries: readonly StoredQuery[]): Tool<Record<string, never>> {
  return listTool(queries, {
    name: 'queries_list',
    description:
      'List the stored queries of the graph that you may invoke, with their purpose, their parameters, and whether they are tools. Needs invoke_query on each.',
    action: () => [],
  });
}

function listTool(
  queries: readonly StoredQuery[],
  definition: { readonly name: string; readonly description: string; action(): readonly Permission[] },
): Tool<Record<string, never>> {
  return defineTool({
    ...definition,
    title: 'List stored queries',
    input: z.object({}),
    output: listOutput,
    annotations: reads,
    async run({ may }) {
      const invocable = queries.filter((query) => may(storedQueryPermissions(query, atLeastOne)));
      const described = invocable.map(describeStoredQuery);
      return { queries: described.map(({ params, ...rest }) => ({ ...rest, params: [...params] })) };
    },
  });
}
