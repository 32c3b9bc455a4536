import type { WritableGraph } from '../engine/graph.js';
import type { Source } from '../language/source.js';
import type { Clock } from '../model/clock.js';
import type { Commit } from '../model/commit.js';
import { TrellisError } from '../model/error.js';
import { bindQuery } from './bind-query.js';
import { checkQueriesCached, requireMutation, selectQuery } from './checked-query-cache.js';
import { runStatements } from './run-statements.js';

export interface MutationRequest {
  readonly source: Source;
  /** Which query of the source; not needed if it has only one. */
  readonly name?: string | undefined;
  readonly params?: unknown;
}

export interface MutationResult {
  readonly name: string;
  readonly affectedNodes: number;
  readonly affectedEdges: number;
  /** Null if nothing changed. */
  readonly commit: Commit | null;
}

/** Checks a query against the schema of its branch and runs it as one commit, or not at all. */
export async function executeMutation(
  target: WritableGraph,
  { source, name, params }: MutationRequest,
  clock: Clock,
): Promise<MutationResult> {
  const { result, commit } = await target.commit(async (tx) => {
    const schema = await tx.rows.schema();
    const query = requireMutation(selectQuery(checkQueriesCached(source, schema), name));
    const bound = await bindQuery(query, params, { clock, embed: null });
    if (bound.kind !== 'mutation') throw new TrellisError('INTERNAL', 'A mutation was bound as a read.');
    return { name: query.name, affected: await runStatements(tx, bound.statements, { clock }) };
  });
  return {
    name: result.name,
    affectedNodes: result.affected.nodes,
    affectedEdges: result.affected.edges,
    commit,
  };
}
