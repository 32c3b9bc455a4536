import type { Touches, Unseen } from '../contract.js';
import { Ancestry, type CommitRange, newestShared, rangesBeyond } from './ancestry.js';
import { CommitLog } from './commit-log.js';
import type { Dialect } from './dialect.js';
import type { Executor } from './executor.js';
import type { Lineage } from './lineage.js';
import { integer, readEdgeIdentity, text } from './rows.js';
import { Touched } from './touched.js';

/** What the history of a commit has that the state a lineage shows has not; see `Reader.unseen`. */
export async function unseenBy(
  executor: Executor,
  dialect: Dialect,
  lineage: Lineage,
  commit: string,
): Promise<Unseen> {
  const { graph } = lineage;
  const there = await new CommitLog(executor, graph).readable(commit);
  const here = { branch: lineage.levels[0].branch, seq: await seqOf(executor, lineage) };
  const ancestry = await Ancestry.load(executor, graph);
  const ours = ancestry.reach(here.branch, here.seq);
  const theirs = ancestry.reach(there.branch, there.seq);
  const shared = newestShared(ours, theirs);
  return {
    relation: shared === there.seq ? 'contained' : shared === here.seq ? 'ahead' : 'diverged',
    base: await commitAt(executor, graph, shared),
    touched: await touchedIn(executor, dialect, graph, rangesBeyond(theirs, ours)),
  };
}

/** The seq of the newest commit a lineage shows; what is remembered of a head may be older than the head. */
async function seqOf(executor: Executor, { graph, levels: [head] }: Lineage): Promise<number> {
  if (!head.atHead) return head.seq;
  const [row] = await executor.all('select head_seq from branch where graph = ? and id = ?', [
    graph,
    head.branch,
  ]);
  return row === undefined ? head.seq : integer(row, 'head_seq');
}

async function commitAt(executor: Executor, graph: number, seq: number): Promise<string | null> {
  const [row] = await executor.all('select id from commit_log where graph = ? and seq = ?', [graph, seq]);
  return row === undefined ? null : text(row, 'id');
}

async function touchedIn(
  executor: Executor,
  dialect: Dialect,
  graph: number,
  ranges: readonly CommitRange[],
): Promise<Touches> {
  if (ranges.length === 0) return { nodes: [], edges: [] };
  const wanted = dialect.tuples(
    { branch: 'integer', low: 'integer', high: 'integer' },
    ranges.map(({ branch, after, upTo }) => [branch, after, upTo]),
  );
  const rows = await executor.all(
    `select distinct t.kind, t.ref, e.from_node, e.to_node, e.type, e.key
      from ${wanted.sql} w cross join touched t
      left join edge_row e on t.kind in ('edge', 'edge_kept') and e.graph = t.graph and e.row = t.ref
      where t.graph = ? and t.branch = w.branch and t.seq > w.low and t.seq <= w.high`,
    [...wanted.params, graph],
  );
  const touched = new Touched();
  for (const row of rows) {
    if (row['kind'] === 'node' || row['kind'] === 'node_kept') touched.addNodes([integer(row, 'ref')]);
    else touched.addEdges([readEdgeIdentity(row)]);
  }
  return { nodes: [...touched.nodes], edges: touched.edges };
}
