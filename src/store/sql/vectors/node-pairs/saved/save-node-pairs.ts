import { chunksOf } from '../../../../../bounds/chunks.js';
import type { NodePairsPatch, NodePairsPlace } from '../../../../vector-store.js';
import type { Executor, Fragment } from '../../../executor.js';
import { readNumber } from '../../../rows.js';
import { emptySql, joinSql, param, sql } from '../../../sql.js';

/**
 * Saves a patch, inside a transaction that no other change of vectors overlaps. Several processes may have worked on the
 * same pairs: only the one whose patch changes the version that is stored may save it, so chunks and pairs are always
 * those of one process, or of one that went on from what another had saved. The others drop what they have and go on from
 * there too. Returns false if the patch is refused.
 */
export async function saveNodePairs(
  executor: Executor,
  graph: number,
  patch: NodePairsPatch,
): Promise<boolean> {
  if (!(await fits(executor, graph, patch))) return false;
  if (patch.replacesAll) {
    // Also what other views left: a graph is served with one.
    const anyView = sql`graph = ${graph} and branch = ${patch.branch} and space = ${patch.space}`;
    executor.run(sql`delete from node_pairs where ${anyView}`);
    executor.run(sql`delete from node_bits where ${anyView}`);
  } else {
    const here = placeOf(graph, patch);
    executor.run(sql`delete from node_pairs where ${here}`);
    for (const some of chunksOf(patch.chunks, 500)) {
      const numbers = some.map(({ chunk }) => param(chunk));
      executor.run(sql`delete from node_bits where ${here} and chunk in (${joinSql(numbers, ', ')})`);
    }
  }
  const { branch, space, view, version, seq, vector, upto, purges, body } = patch;
  executor.insert(
    'node_pairs',
    ['graph', 'branch', 'space', 'view', 'version', 'seq', 'vector', 'upto', 'purges', 'body'],
    [[graph, branch, space, view, version, seq, vector, upto, purges, body]],
  );
  executor.insert(
    'node_bits',
    ['graph', 'branch', 'space', 'view', 'chunk', 'nodes', 'bits'],
    patch.chunks
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ chunk, nodes, bits }) => [graph, branch, space, view, chunk, nodes, bits]),
  );
  return true;
}

async function fits(executor: Executor, graph: number, patch: NodePairsPatch): Promise<boolean> {
  const { branch, space, base, purges } = patch;
  // Neither what was purged meanwhile nor what was dropped may come back.
  const [alive] = await executor.all(
    sql`select 1 as found from branch b where b.graph = ${graph} and b.id = ${branch} and b.purges = ${purges}
      and b.deleted_at is null
      and exists (select 1 from text_vector v where v.graph = ${graph} and v.space = ${space})`,
  );
  if (alive === undefined) return false;
  const [row] = await executor.all(sql`select p.version from node_pairs p where ${placeOf(graph, patch)}`);
  return (row === undefined ? null : readNumber(row, 'version')) === base;
}

function placeOf(graph: number, { branch, space, view }: NodePairsPlace): Fragment {
  return sql`graph = ${graph} and branch = ${branch} and space = ${space} and view = ${view}`;
}

/** Drops the saved pairs of a graph, except those of some spaces. */
export function deleteNodePairs(executor: Executor, graph: number, keep: readonly number[] = []): void {
  const others = keep.length === 0 ? emptySql : sql`and space not in (${joinSql(keep.map(param), ', ')})`;
  executor.run(sql`delete from node_pairs where graph = ${graph} ${others}`);
  executor.run(sql`delete from node_bits where graph = ${graph} ${others}`);
}
