import type { CommitRange } from '../../commits/ancestry.js';
import { nodesTouchedIn } from '../../commits/touched-on-branch.js';
import type { ReadContext } from '../../dialect.js';
import { type Lineage, visible } from '../../lineage.js';
import { readNumber, readOptionalNumber } from '../../rows.js';
import { sql } from '../../sql.js';
import type { ComparedState } from './saved/read-node-pairs.js';

/** In a larger graph, only the newest nodes are compared. */
export const maxNodes = 250_000;
/** Nodes whose vectors are in memory at a time. */
export const pageSize = 1_000;
/** After more changes, reading all vectors again costs less. */
const maxChanges = 20_000;

export interface CurrentState extends ComparedState {
  readonly purges: number;
  /** The oldest vector of the space; undefined if there is none. */
  readonly oldestVector: number | undefined;
}

/** What a read sees of the nearest branch. */
export async function currentState(
  { executor, lineage: { graph, levels } }: ReadContext,
  space: number,
): Promise<CurrentState> {
  const [{ branch, atHead, seq }] = levels;
  const [row] = await executor.all(
    sql`select b.head_seq, b.purges from branch b where b.graph = ${graph} and b.id = ${branch}`,
  );
  // Each by itself: SQLite finds both in the index only like that.
  const ofSpace = sql`from text_vector v where v.graph = ${graph} and v.space = ${space}`;
  const [vectors] = await executor.all(
    sql`select (select max(v.id) ${ofSpace}) as newest, (select min(v.id) ${ofSpace}) as oldest`,
  );
  const idOf = (column: string) => (vectors === undefined ? null : readOptionalNumber(vectors, column));
  return {
    // A lineage at the head stays valid after the next commit, so its seq may be out of date.
    ...{ level: 0, seq: atHead && row !== undefined ? readNumber(row, 'head_seq') : seq },
    ...{ vector: idOf('newest') ?? 0, purges: row === undefined ? 0 : readNumber(row, 'purges') },
    oldestVector: idOf('oldest') ?? undefined,
  };
}

/**
 * The nodes that may differ between two states: those that commits touched which only one of them knows, and those whose
 * observations were embedded since. Undefined if they are too many, or if the vectors of then were dropped.
 */
export async function changedNodes(
  reads: ReadContext,
  space: number,
  before: ComparedState,
  now: CurrentState,
): Promise<readonly number[] | undefined> {
  if (wereDropped(before, now)) return undefined;
  const { executor, lineage } = reads;
  const { graph } = lineage;
  const touched = await nodesTouchedIn(reads, differingCommits(lineage, before, now), maxChanges);
  if (touched === undefined) return undefined;
  const changed = new Set(touched);
  if (before.vector !== now.vector) {
    const embedded = await executor.all(
      sql`select distinct r.node from text_vector v cross join observation_row r
        where v.graph = ${graph} and v.space = ${space} and v.id > ${Math.min(before.vector, now.vector)}
        and v.document % 2 = 1 and r.graph = ${graph} and r.row = (v.document - 1) / 2 limit ${maxChanges + 1}`,
    );
    for (const row of embedded) changed.add(readNumber(row, 'node'));
  }
  return changed.size > maxChanges ? undefined : [...changed].sort((a, b) => a - b);
}

/** Numbers of vectors are used once, so vectors that were made again are all newer. */
function wereDropped(before: ComparedState, { oldestVector }: CurrentState): boolean {
  return before.vector > 0 && (oldestVector === undefined || oldestVector > before.vector);
}

/** The earlier state may be one of a branch that this one inherits from, and newer than where this one left it. */
function differingCommits({ levels }: Lineage, before: ComparedState, now: ComparedState): CommitRange[] {
  return levels.slice(0, before.level + 1).map(({ branch, seq }, level) => {
    const seen = level === 0 ? now.seq : seq;
    const shared = level === before.level ? before.seq : (levels[level + 1]?.seq ?? 0);
    return { branch, after: Math.min(seen, shared), upTo: Math.max(seen, shared) };
  });
}

/** The node after which the newest begin: ids grow. */
export async function lowestNode({ executor, lineage }: ReadContext, nodes: number): Promise<number> {
  if (nodes <= maxNodes) return 0;
  const seen = visible('node_row', 'n', lineage);
  const [row] = await executor.all(
    sql`select n.node from node_row n where (${seen}) and n.stub = 0 order by n.node desc limit 1 offset ${maxNodes}`,
  );
  return row === undefined ? 0 : readNumber(row, 'node');
}

export async function nodesAfter(
  { executor, lineage }: ReadContext,
  node: number,
  limit = pageSize,
): Promise<number[]> {
  const seen = visible('node_row', 'n', lineage);
  const rows = await executor.all(
    sql`select n.node from node_row n where (${seen}) and n.stub = 0 and n.node > ${node} order by n.node limit ${limit}`,
  );
  return rows.map((row) => readNumber(row, 'node'));
}
