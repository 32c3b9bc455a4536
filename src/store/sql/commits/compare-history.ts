import { readChunkSize, readInChunks } from '../../../bounds/chunks.js';
import { forEachYielding } from '../../../bounds/yielding-loops.js';
import type { EdgeIdentity } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { HistoryComparison, TouchedItems } from '../../read-results.js';
import type { ReadContext } from '../dialect.js';
import type { Executor, SqlRow } from '../executor.js';
import { newestSeq } from '../lineage.js';
import { pages, readEdgeIdentity, readNumber, readText } from '../rows.js';
import { raw, sql } from '../sql.js';
import { Ancestry, type CommitRange, newestSharedSeq, rangesAhead } from './ancestry.js';
import { CommitLog } from './commit-log.js';
import { TouchedSet } from './touched-set.js';

/** See `Reader.unseen`. */
export async function compareHistory(context: ReadContext, commit: string): Promise<HistoryComparison> {
  const { executor, lineage } = context;
  const { graph } = lineage;
  const there = await new CommitLog(executor, graph).requireReadable(commit);
  const here = { branch: lineage.levels[0].branch, seq: await newestSeq(executor, graph, lineage.levels[0]) };
  const ancestry = await Ancestry.load(executor, graph);
  const ours = ancestry.versionVector(here.branch, here.seq);
  const theirs = ancestry.versionVector(there.branch, there.seq);
  const shared = newestSharedSeq(ours, theirs);
  return {
    relation: shared === there.seq ? 'contained' : shared === here.seq ? 'ahead' : 'diverged',
    base: await commitAt(executor, graph, shared),
    touched: await touchedInRanges(context, rangesAhead(theirs, ours)),
  };
}

/** See `Reader.hasCommit`. */
export async function hasCommit(
  { executor, lineage: { graph, levels } }: ReadContext,
  commit: string,
): Promise<boolean> {
  const there = await new CommitLog(executor, graph).position(commit);
  if (there === undefined) return false;
  const [{ branch }] = levels;
  const ancestry = await Ancestry.load(executor, graph);
  const here = ancestry.versionVector(branch, await newestSeq(executor, graph, levels[0]));
  return (here.get(there.branch) ?? 0) >= there.seq;
}

/** What was touched here after a commit; undefined if it is not part of this history. */
export async function touchedSince(context: ReadContext, commit: string): Promise<TouchedItems | undefined> {
  const ranges = await rangesSince(context, commit);
  return ranges === undefined ? undefined : touchedInRanges(context, ranges);
}

/** See `Reader.nodesTouchedSince`. */
export async function nodesTouchedSince(
  context: ReadContext,
  commit: string,
  nodes: readonly NodeId[],
): Promise<Set<NodeId>> {
  const { executor, dialect, lineage } = context;
  const ranges = await rangesSince(context, commit);
  if (ranges === undefined) return new Set(nodes);
  const found = await Promise.all(
    ranges.map(({ branch, after, upTo }) =>
      readInChunks(nodes, (some) =>
        executor.all(
          sql`select distinct ref from touched where graph = ${lineage.graph} and kind in ('node', 'node_kept')
            and ${dialect.inList('ref', 'integer', some)} and branch = ${branch} and seq > ${after} and seq <= ${upTo}`,
        ),
      ),
    ),
  );
  return new Set(found.flat().map((row) => readNumber(row, 'ref')));
}

/** See `Writer.touchedSince`. */
export async function touchedHereSince(
  context: ReadContext,
  commit: string,
): Promise<TouchedItems | undefined> {
  const [{ branch }] = context.lineage.levels;
  const ranges = await rangesSince(context, commit);
  if (ranges === undefined || !ranges.every((range) => range.branch === branch)) return undefined;
  const touched = await touchedInRanges(context, ranges);
  // Asked last: commits are marked before what they touched is forgotten.
  return (await isAnyCollected(context, ranges)) ? undefined : touched;
}

async function isAnyCollected(
  { executor, lineage: { graph } }: ReadContext,
  ranges: readonly CommitRange[],
): Promise<boolean> {
  const found = await Promise.all(
    ranges.map(({ branch, after, upTo }) =>
      executor.all(
        sql`select 1 as found from commit_log where graph = ${graph} and branch = ${branch}
          and seq > ${after} and seq <= ${upTo} and collected = 1 limit 1`,
      ),
    ),
  );
  return found.some((rows) => rows.length > 0);
}

async function rangesSince(
  { executor, lineage: { graph, levels } }: ReadContext,
  commit: string,
): Promise<CommitRange[] | undefined> {
  const there = await new CommitLog(executor, graph).position(commit);
  if (there === undefined) return undefined;
  const ancestry = await Ancestry.load(executor, graph);
  const ours = ancestry.versionVector(levels[0].branch, await newestSeq(executor, graph, levels[0]));
  if ((ours.get(there.branch) ?? 0) < there.seq) return undefined;
  return rangesAhead(ours, ancestry.versionVector(there.branch, there.seq));
}

async function commitAt(executor: Executor, graph: number, seq: number): Promise<string | null> {
  const [row] = await executor.all(sql`select id from commit_log where graph = ${graph} and seq = ${seq}`);
  return row === undefined ? null : readText(row, 'id');
}

async function touchedInRanges(context: ReadContext, ranges: readonly CommitRange[]): Promise<TouchedItems> {
  const nodes = new Set<number>();
  const edgeRows = new Set<number>();
  const readRange = async (range: CommitRange) => {
    for await (const page of pages((last) => touchedAfter(context, range, last), readChunkSize)) {
      for (const row of page) {
        const isNode = row['kind'] === 'node' || row['kind'] === 'node_kept';
        (isNode ? nodes : edgeRows).add(readNumber(row, 'ref'));
      }
    }
  };
  await Promise.all(ranges.map(readRange));
  return { nodes: [...nodes], edges: await edgeIdentitiesOf(context, [...edgeRows]) };
}

/** One statement for each range: given a table of ranges, a database may read all that was ever touched. */
function touchedAfter(
  { executor, lineage }: ReadContext,
  { branch, after, upTo }: CommitRange,
  last: SqlRow | undefined,
): Promise<SqlRow[]> {
  const rest =
    last === undefined
      ? sql`seq > ${after}`
      : sql`(seq, kind, ref) > (${readNumber(last, 'seq')}, ${readText(last, 'kind')}, ${readNumber(last, 'ref')})`;
  return executor.all(
    sql`select seq, kind, ref from touched where graph = ${lineage.graph} and branch = ${branch}
      and ${rest} and seq <= ${upTo} and kind <> 'node_end' order by seq, kind, ref limit ${raw(readChunkSize)}`,
  );
}

async function edgeIdentitiesOf(
  { executor, dialect, lineage: { graph } }: ReadContext,
  edgeRows: readonly number[],
): Promise<EdgeIdentity[]> {
  if (edgeRows.length === 0) return [];
  const rows = await readInChunks(edgeRows, (some) => {
    const list = dialect.inList('row', 'integer', some);
    return executor.all(
      sql`select from_node, to_node, type, key from edge_row where graph = ${graph} and ${list}`,
    );
  });
  const touched = new TouchedSet();
  await forEachYielding(rows, (row) => touched.addEdge(readEdgeIdentity(row)));
  return touched.edgesExcept(() => false);
}
