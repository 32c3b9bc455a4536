import { setImmediate as turn } from 'node:timers/promises';
import type { Transaction } from '../engine/graph.js';
import { type Clock, type Ids, systemClock, ulids } from '../model/clock.js';
import { TrellisError } from '../model/error.js';
import { queryLimits } from '../model/limits.js';
import { cachedGraphSchema } from '../schema/enforce/graph-schema-cache.js';
import type { BoundStatement } from './bound-mutation.js';
import { deleteRows, updateRows } from './run/change-rows.js';
import { insertEdge } from './run/insert-edge.js';
import { insertNode } from './run/insert-node.js';
import type { AffectedCounts, MutationContext } from './run/mutation-context.js';

/** Runs the statements of a mutation, each on the result of those before it; readers get a turn between two of them. */
export async function runStatements(
  { rows }: Transaction,
  statements: readonly BoundStatement[],
  { ids = ulids(), clock = systemClock }: { readonly ids?: Ids; readonly clock?: Clock } = {},
): Promise<AffectedCounts> {
  const source = await rows.schema();
  const context: MutationContext = { rows, schema: source === null ? null : cachedGraphSchema(source), ids };
  const total = { nodes: 0, edges: 0 };
  const start = clock();
  for (const [index, statement] of statements.entries()) {
    if (index > 0) await turn();
    if (clock() - start > queryLimits.mutationMs) throw mutationTimeout(index);
    const { nodes, edges } = await runStatement(context, statement, index + 1);
    total.nodes += nodes;
    total.edges += edges;
  }
  return total;
}

function mutationTimeout(statements: number): TrellisError {
  return new TrellisError(
    'QUERY_TIMEOUT',
    `The mutation took longer than ${queryLimits.mutationMs} milliseconds, after ${statements} statements.`,
    {
      hint: 'Nothing was written. Send fewer statements at once, and find rows by a key or an indexed property.',
      details: { statements },
    },
  );
}

function runStatement(
  context: MutationContext,
  statement: BoundStatement,
  number: number,
): Promise<AffectedCounts> {
  switch (statement.kind) {
    case 'insert-node':
      return insertNode(context, statement, number);
    case 'insert-edge':
      return insertEdge(context, statement, number);
    case 'update':
      return updateRows(context, statement, number);
    case 'delete':
      return deleteRows(context, statement);
  }
}
