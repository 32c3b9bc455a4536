import type { z } from 'zod';
import { atLeastOne } from '../../../access/permission.js';
import { TrellisError } from '../../../model/error.js';
import { isMutation } from '../../../query/parameter-descriptors.js';
import type { StoredQueries } from '../../../query/stored/stored-queries.js';
import type { StoredQuery } from '../../../query/stored/stored-query.js';
import { unknownTool } from '../../dispatch.js';
import { defineTool, type Tool } from '../../tool.js';
import { changes } from '../../tool-annotations.js';
import type { QuerySettings } from '../graph-query-shapes.js';
import { runStoredQuery, type StoredQueryCall, storedCallPermissions } from './run-stored-query.js';
import { runInput, runOutput } from './stored-query-shapes.js';

type RunArguments = z.output<typeof runInput>;

/** A query that is not a tool, or not for the caller, is an unknown tool. */
export function storedQueryRun(queries: StoredQueries, settings: QuerySettings): Tool<RunArguments> {
  const exposed = (name: string): StoredQuery => {
    const query = queries.get(name);
    if (query?.isExposed === true) return query;
    throw unknownTool('stored_query_run');
  };
  return defineTool({
    name: 'stored_query_run',
    title: 'Run a stored query',
    description:
      'Run a stored query of this graph by its name from stored_query_list; pass its parameters in params.',
    input: runInput,
    output: runOutput,
    annotations: changes,
    action: (args) =>
      args === undefined
        ? [{ action: 'invoke_query', query: atLeastOne, branch: atLeastOne }]
        : storedCallPermissions(exposed(args.name), args),
    onlyReads: ({ name }) => isRead(queries.get(name)),
    async run(call, args) {
      return runStoredQuery(
        call.withMessage(args.message),
        exposed(args.name),
        toStoredQueryCall(args),
        settings,
      );
    },
  });
}

/** `POST /graphs/{graph}/queries/{name}`. A query that is not for the caller is not found. */
export function queriesRun(queries: StoredQueries, settings: QuerySettings): Tool<RunArguments> {
  return defineTool({
    name: 'queries_run',
    title: 'Run a stored query',
    argumentAliases: { expectMutation: 'expect_mutation', ifCommit: 'if_commit' },
    description:
      'Run a stored query by its name, whether it is a tool or not. Needs invoke_query on it, and change on the branch if it writes; otherwise it is not found.',
    input: runInput,
    output: runOutput,
    annotations: changes,
    // Checked in run, where a denial looks like an unknown name.
    action: () => [],
    onlyReads: ({ name }) => isRead(queries.get(name)),
    async run(call, args) {
      const query = queries.get(args.name);
      if (query === undefined || !call.may(storedCallPermissions(query, args)))
        throw queryNotFound(args.name);
      return runStoredQuery(call.withMessage(args.message), query, toStoredQueryCall(args), settings);
    },
  });
}

/** An unknown name changes nothing. */
function isRead(query: StoredQuery | undefined): boolean {
  return query === undefined || !isMutation(query.checked);
}

function toStoredQueryCall({ params = {}, branch, snapshot, ...rest }: RunArguments): StoredQueryCall {
  return { params, branch, snapshot, ifCommit: rest.if_commit, expectMutation: rest.expect_mutation };
}

function queryNotFound(name: string): TrellisError {
  return new TrellisError('QUERY_NOT_FOUND', `There is no stored query ${JSON.stringify(name)}.`, {
    hint: 'GET …/queries lists those that you may invoke.',
    details: { query: name },
  });
}
