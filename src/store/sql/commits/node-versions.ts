import { readInChunks } from '../../../bounds/chunks.js';
import { type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import { groupEntries } from '../../../model/group-entries.js';
import type { NodeId } from '../../../model/node.js';
import type { VersionRequest } from '../../read-requests.js';
import type { CommitParents, HistoryPosition, NodeVersions, RowVersion } from '../../read-results.js';
import type { ReadContext } from '../dialect.js';
import type { Fragment, SqlRow } from '../executor.js';
import { newestSeq, type VersionedTable } from '../lineage.js';
import {
  edgeColumns,
  nodeColumns,
  observationColumns,
  readEdge,
  readEdgeIdentity,
  readNode,
  readNumber,
  readObservation,
  readOptionalNumber,
} from '../rows.js';
import { emptySql, joinSql, raw, sql } from '../sql.js';
import { commitPosition } from './ancestry.js';

export async function versionsOf(
  context: ReadContext,
  { node, edges, limit }: VersionRequest,
): Promise<NodeVersions> {
  const { executor, dialect, lineage } = context;
  const { branch } = lineage.levels[0];
  const seq = await newestSeq(executor, lineage.graph, lineage.levels[0]);
  const isNode = sql`r.node = ${node}`;
  const newestFirst = sql`order by r.born desc limit ${limit}`;
  const nodes = await readVersions(context, 'node_row', readNode, isNode, newestFirst);
  const observations = await readVersions(context, 'observation_row', readObservation, isNode);
  const wanted = new Set(edges.map(edgeKey));
  const others = [...new Set(edges.map(({ from, to }) => (from === node ? to : from)))];
  const edgeRows = await readInChunks(others, async (some) => [
    ...(await readVersions(
      context,
      'edge_row',
      readEdge,
      sql`r.from_node = ${node} and ${dialect.inList('r.to_node', 'integer', some)}`,
    )),
    ...(await readVersions(
      context,
      'edge_row',
      readEdge,
      sql`r.to_node = ${node} and ${dialect.inList('r.from_node', 'integer', some)} and r.from_node <> ${node}`,
    )),
  ]);
  const edgeVersions = edgeRows.filter(({ value }) => wanted.has(edgeKey(value)));
  const born = new Set([...nodes, ...observations, ...edgeVersions].map((version) => version.born));
  return {
    position: { branch, seq },
    ...{ nodes, observations, edges: edgeVersions },
    isComplete: nodes.length < limit,
    forks: await readForks(context),
    parents: await readParents(context, [...born]),
  };
}

const columnsOf = { node_row: nodeColumns, observation_row: observationColumns, edge_row: edgeColumns };

async function readVersions<T>(
  { executor, dialect, lineage: { graph } }: ReadContext,
  table: VersionedTable,
  read: (row: SqlRow) => T,
  condition: Fragment,
  tail: Fragment = emptySql,
): Promise<RowVersion<T>[]> {
  // A row that a commit replaced itself was never visible.
  const rows = await executor.all(
    sql`select ${raw(columnsOf[table])}, r.born, r.died from ${raw(table)} r
      where r.graph = ${graph} and ${condition} and (r.died is null or r.died > r.born) ${tail}`,
    { large: true },
  );
  const ids = rows.map((row) => readNumber(row, 'row'));
  const shadows = await readInChunks(ids, (some) =>
    executor.all(
      sql`select s.row, s.branch, s.born as seq from shadow s
        where s.graph = ${graph} and s.kind = ${table} and ${dialect.inList('s.row', 'integer', some)}`,
    ),
  );
  const hidden = groupEntries(shadows.map((row) => [readNumber(row, 'row'), commitPosition(row)]));
  return rows.map((row) => ({
    value: read(row),
    branch: readNumber(row, 'branch'),
    born: readNumber(row, 'born'),
    died: readOptionalNumber(row, 'died'),
    hidden: hidden.get(readNumber(row, 'row')) ?? [],
  }));
}

async function readForks({
  executor,
  lineage: { graph },
}: ReadContext): Promise<Map<number, HistoryPosition>> {
  const rows = await executor.all(
    sql`select id, parent as branch, fork_seq as seq from branch where graph = ${graph} and parent is not null`,
  );
  return new Map(rows.map((row) => [readNumber(row, 'id'), commitPosition(row)]));
}

async function readParents(
  { executor, dialect, lineage: { graph } }: ReadContext,
  seqs: readonly number[],
): Promise<Map<number, CommitParents>> {
  const rows = await readInChunks(seqs, (some) =>
    executor.all(
      sql`select c.seq as commit_seq, coalesce(p.collected, 0) as parent_collected, m.branch, m.seq, m.collected from commit_log c
        left join commit_log p on p.graph = c.graph and p.id = c.parent
        left join commit_log m on m.graph = c.graph and m.id = c.merged_parent
        where c.graph = ${graph} and ${dialect.inList('c.seq', 'integer', some)}`,
    ),
  );
  return new Map(
    rows.map((row) => [
      readNumber(row, 'commit_seq'),
      {
        parentCollected: readNumber(row, 'parent_collected') === 1,
        merged: row['seq'] === null ? null : commitPosition(row),
        mergedCollected: readOptionalNumber(row, 'collected') === 1,
      },
    ]),
  );
}

/** Starts from the rows of the node: a commit may have touched many other edges. */
export async function edgesTouched(
  { executor, dialect, lineage: { graph } }: ReadContext,
  node: NodeId,
  seqs: readonly number[],
): Promise<Map<number, EdgeIdentity[]>> {
  if (seqs.length === 0) return new Map();
  const list = dialect.inList('t.seq', 'integer', seqs);
  const atEnd = (end: 'from_node' | 'to_node') =>
    sql`select t.seq, e.from_node, e.to_node, e.type, e.key from edge_row e
      join touched t on t.graph = e.graph and t.kind = 'edge' and t.ref = e.row
      where e.graph = ${graph} and e.${raw(end)} = ${node} and ${list}`;
  // `union` drops duplicates, such as an edge from a node to itself.
  const rows = await executor.all(joinSql([atEnd('from_node'), atEnd('to_node')], ' union '));
  return groupEntries(rows.map((row) => [readNumber(row, 'seq'), readEdgeIdentity(row)]));
}
