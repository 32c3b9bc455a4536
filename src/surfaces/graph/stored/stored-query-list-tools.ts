import { z } from 'zod';
import { atLeastOne, type PermissionCheck } from '../../../access/permission.js';
import { describeStoredQuery, type StoredQuery } from '../../../query/stored/stored-query.js';
import { defineTool, type Tool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { storedQueryPermissions } from './run-stored-query.js';
import { listOutput } from './stored-query-shapes.js';

/** For graphs with too many queries for one tool each. */
export function storedQueryList(queries: readonly StoredQuery[]): Tool<Record<string, never>> {
  return defineTool({
    name: 'stored_query_list',
    title: 'List stored queries',
    description:
      'List the stored queries of this graph that you can run, with their purpose and parameters. Run one with stored_query_run.',
    input: z.object({}),
    output: listOutput,
    annotations: reads,
    action: () => [{ action: 'invoke_query', query: atLeastOne, branch: atLeastOne }],
    async run({ may }) {
      return describeInvocable(queries, may);
    },
  });
}

/** `GET /graphs/{graph}/queries`: also queries that are not tools. */
export function queriesList(queries: readonly StoredQuery[]): Tool<Record<string, never>> {
  return defineTool({
    name: 'queries_list',
    title: 'List stored queries',
    description:
      'List the stored queries of the graph that you may invoke, with their purpose, their parameters, and whether they are tools. Needs invoke_query on each.',
    input: z.object({}),
    output: listOutput,
    annotations: reads,
    // Without invoke_query, the list is empty.
    action: () => [],
    async run({ may }) {
      return describeInvocable(queries, may);
    },
  });
}

function describeInvocable(
  queries: readonly StoredQuery[],
  may: PermissionCheck,
): z.output<typeof listOutput> {
  const invocable = queries.filter((query) => may(storedQueryPermissions(query, atLeastOne)));
  return {
    queries: invocable.map((query) => {
      const { params, ...rest } = describeStoredQuery(query);
      return { ...rest, params: params.map((parameter) => ({ ...parameter })) };
    }),
  };
}
