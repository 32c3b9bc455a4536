import type { NodeId } from '../../../model/node.js';
import type { TouchPage } from '../../read-requests.js';
import type { NodeTouch } from '../../read-results.js';
import type { ReadContext } from '../dialect.js';
import type { SqlRow } from '../executor.js';
import { readNumber, readText } from '../rows.js';
import { or, raw, sql } from '../sql.js';

const maxSeq = Number.MAX_SAFE_INTEGER;
/** Of a node, its observations or its edges. */
const isNodeTouch = "t.kind in ('node', 'node_end')";

export async function lastTouched(
  { executor, dialect, lineage: { graph, levels } }: ReadContext,
  ids: readonly NodeId[],
): Promise<Map<NodeId, NodeTouch>> {
  if (ids.length === 0) return new Map();
  const list = dialect.inList('t.ref', 'integer', ids);
  const seen = levels.map(({ branch, seq, atHead }) =>
    atHead ? sql`t.branch = ${branch}` : sql`t.branch = ${branch} and t.seq <= ${seq}`,
  );
  const rows = await executor.all(
    sql`select n.ref, n.seq, c.time, c.id, c.actor from
      (select t.ref, max(t.seq) as seq from touched t
        where t.graph = ${graph} and ${raw(isNodeTouch)} and ${list} and (${or(seen)}) group by t.ref) n
      join commit_log c on c.graph = ${graph} and c.seq = n.seq`,
  );
  return new Map(rows.map(readTouch).map((touch) => [touch.node, touch]));
}

/** Newest first. What a branch inherits is older than its own touches, so its levels follow one another. */
export async function listTouches(
  { executor, lineage: { graph, levels } }: ReadContext,
  { before, limit }: TouchPage,
): Promise<NodeTouch[]> {
  const found: NodeTouch[] = [];
  for (const { branch, seq: seen, atHead } of levels) {
    const newest = Math.min(atHead ? maxSeq : seen, before?.seq ?? maxSeq);
    const rows = await executor.all(
      sql`select t.ref, t.seq, c.time, c.id, c.actor from touched t join commit_log c on c.graph = t.graph and c.seq = t.seq
        where t.graph = ${graph} and t.branch = ${branch} and ${raw(isNodeTouch)} and t.seq <= ${newest}
          and (t.seq < ${before?.seq ?? maxSeq} or t.ref < ${before?.node ?? maxSeq})
        order by t.seq desc, t.ref desc limit ${limit - found.length}`,
    );
    found.push(...rows.map(readTouch));
    if (found.length >= limit) break;
  }
  return found;
}

function readTouch(row: SqlRow): NodeTouch {
  return {
    node: readNumber(row, 'ref'),
    seq: readNumber(row, 'seq'),
    time: readNumber(row, 'time'),
    commit: readText(row, 'id'),
    actor: readText(row, 'actor'),
  };
}
