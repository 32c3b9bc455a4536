import { type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { Dialect } from '../dialect.js';
import type { Executor } from '../executor.js';
import { integer, readEdgeIdentity } from '../rows.js';
import type { Touched } from './touched.js';

// One object, by which a connection knows its statement again.
const touchedColumns = ['graph', 'branch', 'seq', 'kind', 'ref'];

/** What a commit leaves in the list of what commits touched. */
export interface TouchedRecord {
  readonly graph: number;
  readonly branch: number;
  readonly seq: number;
  readonly touched: Touched;
  /** The keys of touched edges that live in rows of this commit's order, which the database finds by itself. */
  readonly born: ReadonlySet<string>;
  /** A row that tells the identity of each other touched edge, by its key: the live one, or the one that was removed. */
  readonly edgeRows: ReadonlyMap<string, number>;
  /** What was looked at and left; what was touched as well is not listed twice. */
  readonly kept: Touched;
}

/** Writes down what a commit touched. */
export async function recordTouched(
  executor: Executor,
  dialect: Dialect,
  { graph, branch, seq, touched, born, edgeRows, kept }: TouchedRecord,
): Promise<void> {
  const keptNodes = [...kept.nodes].filter((node) => !touched.nodes.has(node));
  const keptEdges = await anyRows(executor, dialect, graph, kept.edgesBut(touched));
  const rows = (kind: string, refs: Iterable<number>) =>
    Array.from(refs, (ref) => [graph, branch, seq, kind, ref]);
  await executor.insert('touched', touchedColumns, [
    ...rows('node', touched.nodes),
    ...rows('edge', edgeRows.values()),
    ...rows('node_kept', keptNodes),
    ...rows('edge_kept', keptEdges),
  ]);
  if (born.size === 0) return;
  await executor.run(
    `insert into touched (graph, branch, seq, kind, ref) select graph, branch, order_seq, 'edge', row from edge_row
      where graph = ? and branch = ? and order_seq = ? and born = order_seq and died is null`,
    [graph, branch, seq],
  );
}

/** Any version of each kept edge will do: it stands for the identity, and this branch may not have one. */
async function anyRows(
  executor: Executor,
  dialect: Dialect,
  graph: number,
  wanted: readonly EdgeIdentity[],
): Promise<number[]> {
  if (wanted.length === 0) return [];
  const identities = dialect.tuples(
    { from_node: 'integer', to_node: 'integer', type: 'text', key: 'text' },
    wanted.map(({ from, to, type, key }) => [from, to, type, key]),
  );
  const rows = await executor.all(
    `select r.row, r.from_node, r.to_node, r.type, r.key from ${identities.sql} t cross join edge_row r
      where r.graph = ? and r.from_node = t.from_node and r.to_node = t.to_node and r.type = t.type and r.key = t.key`,
    [...identities.params, graph],
  );
  const found = new Map(rows.map((row) => [edgeKey(readEdgeIdentity(row)), integer(row, 'row')]));
  return [...found.values()];
}
