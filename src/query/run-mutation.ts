import type { Transaction } from '../engine/graph.js';
import { type Ids, ulids } from '../model/clock.js';
import { schemaOf } from '../schema/enforce/schema-of.js';
import type { BoundStatement } from './bound-mutation.js';
import { deleteRows } from './run/delete-rows.js';
import { insertEdge } from './run/insert-edge.js';
import { insertNode } from './run/insert-node.js';
import type { Affected, Mutating } from './run/mutating.js';
import { updateRows } from './run/update-rows.js';

/** Runs the statements of a mutation, each on what those before it left; whether all of it stays is for the write to say. */
export async function runMutation(
  { rows }: Transaction,
  statements: readonly BoundStatement[],
  ids: Ids = ulids(),
): Promise<Affected> {
  const source = await rows.schema();
  const context: Mutating = { rows, schema: source === null ? null : schemaOf(source), ids };
  const total = { nodes: 0, edges: 0 };
  for (const [index, statement] of statements.entries()) {
    const { nodes, edges } = await run(context, statement, index + 1);
    total.nodes += nodes;
    total.edges += edges;
  }
  return total;
}

function run(context: Mutating, statement: BoundStatement, number: number): Promise<Affected> {
  switch (statement.kind) {
    case 'insert-node':
      return insertNode(context, statement);
    case 'insert-edge':
      return insertEdge(context, statement, number);
    case 'update':
      return updateRows(context, statement);
    case 'delete':
      return deleteRows(context, statement);
  }
}
