import { iterateChunks, writeChunkSize } from '../../../bounds/chunks.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import { forEachYielding } from '../../../bounds/yielding-loops.js';
import { type EdgeIdentity, edgeFromKey, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { TouchedItems } from '../../read-results.js';
import { type EdgeRow, readEdgeIdentity, readNumber, selectNumber } from '../rows.js';
import { sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';
import { TouchedSet } from './touched-set.js';

// One object, so that a connection recognizes its statement.
const touchedColumns = ['graph', 'branch', 'seq', 'kind', 'ref'];

/** From this many on, one statement records them. */
const bulkRefCount = 100;
/** From this many on, the database finds the edges that a write created. */
const bulkEdgeCount = 100;
/** So many edges at a time, so that others have turns. */
const bulkStep = 5_000;

export type RemovedEdge = EdgeIdentity & Pick<EdgeRow, 'row'>;

type FindEdges = (identities: readonly EdgeIdentity[]) => Promise<readonly EdgeRow[]>;

/** Collects what one write touches. */
export class TouchLog {
  readonly touched = new TouchedSet();
  /** What was looked at and left. */
  readonly #kept = new TouchedSet();
  /** A row of each removed edge, by its key. */
  readonly #removed = new Map<string, number>();
  /** The keys of touched edges to which this write gave no place in the order: few, if it writes very many. */
  readonly #older = new Set<string>();
  /** The keys of removed edges that existed before this write. */
  readonly #existed = new Set<string>();
  /** The keys of edges that this write both created and removed. */
  readonly #transient = new Set<string>();

  addNodes(ids: Iterable<NodeId>): void {
    this.touched.addNodes(ids);
  }

  /** @param isBorn Whether this write gave the edge its place in the order. */
  addEdge(edge: EdgeIdentity, isBorn: boolean): void {
    this.touched.addEdge(edge);
    // Nearly always so in a large write, which need not make keys then.
    if (isBorn && this.#older.size + this.#transient.size === 0) return;
    const key = edgeKey(edge);
    this.#transient.delete(key);
    if (isBorn) this.#older.delete(key);
    else this.#older.add(key);
  }

  addRemovedEdge(edge: RemovedEdge): void {
    const key = edgeKey(edge);
    const wasBorn = this.#isBorn(edge);
    this.touched.addEdge(edge);
    this.#older.add(key);
    this.#removed.set(key, edge.row);
    if (!wasBorn) this.#existed.add(key);
    else if (!this.#existed.has(key)) this.#transient.add(key);
  }

  keep({ nodes, edges }: TouchedItems): void {
    this.#kept.addNodes(nodes);
    this.#kept.addEdges(edges);
  }

  /** Called once, at the end of the write; synchronous if only nodes were touched. */
  record(place: VisibleRows, seq: number, findEdges: FindEdges): Promise<void> | undefined {
    if (this.touched.edgeCount + this.#kept.edgeCount > 0) return this.#recordEdges(place, seq, findEdges);
    const count = this.touched.nodes.size + this.#kept.nodes.size;
    if (count > writeChunkSize) return insertInBatches(place, seq, this.#nodeRefs([]));
    for (const [kind, refs] of this.#nodeRefs([])) insertTouched(place, seq, kind, [...refs]);
    return undefined;
  }

  async #recordEdges(place: VisibleRows, seq: number, findEdges: FindEdges): Promise<void> {
    const areBulk = this.touched.edgeCount - this.#older.size >= bulkEdgeCount;
    const edgeRows = await this.#edgeRows(areBulk, findEdges);
    const kept = await this.#kept.edgesExcept((edge) => this.touched.hasEdge(edge));
    const keptEdges = kept.length === 0 ? [] : await anyEdgeRows(place, kept);
    // Nodes of which only edges were touched, without edges that were created and removed.
    const ends = await this.touched.furtherEnds(
      (edge) => this.#transient.size > 0 && this.#transient.has(edgeKey(edge)),
    );
    await insertInBatches(place, seq, [
      ...this.#nodeRefs(ends),
      ['edge', edgeRows],
      ['edge_kept', keptEdges],
    ]);
    if (areBulk) await recordNewEdges(place, seq);
  }

  /** @param ends Nodes of which only edges were touched. */
  #nodeRefs(ends: Iterable<NodeId>): TouchedRefs[] {
    return [
      ['node', this.touched.nodes],
      ['node_end', ends],
      ['node_kept', [...this.#kept.nodes].filter((node) => !this.touched.nodes.has(node))],
    ];
  }

  #isBorn(edge: EdgeIdentity): boolean {
    return this.touched.hasEdge(edge) && !(this.#older.size > 0 && this.#older.has(edgeKey(edge)));
  }

  /** The live row of each touched edge, or its removed one, except for those recorded otherwise. */
  async #edgeRows(areBulk: boolean, findEdges: FindEdges): Promise<Iterable<number>> {
    const isRecorded = (edge: EdgeIdentity) => areBulk && this.#isBorn(edge);
    const rows = new Map<string, number>();
    await forEachYielding(this.#removed, ([key, row]) => {
      if (!isRecorded(edgeFromKey(key))) rows.set(key, row);
    });
    // Without older ones, the database finds all of a large write.
    const others = areBulk && this.#older.size === 0 ? [] : await this.touched.edgesExcept(isRecorded);
    if (others.length > 0)
      await forEachYielding(await findEdges(others), (edge) => rows.set(edgeKey(edge), edge.row));
    return rows.values();
  }
}

type TouchedRefs = readonly [kind: string, refs: Iterable<number>];

function insertTouched(
  { executor, dialect, lineage }: VisibleRows,
  seq: number,
  kind: string,
  refs: readonly number[],
): void {
  const { graph, levels } = lineage;
  const [{ branch }] = levels;
  if (refs.length < bulkRefCount) {
    const rows = refs.map((ref) => [graph, branch, seq, kind, ref]);
    executor.insert('touched', touchedColumns, rows);
    return;
  }
  const list = dialect.tuples(
    { ref: 'integer' },
    refs.map((ref) => [ref]),
  );
  executor.run(
    sql`insert into touched (graph, branch, seq, kind, ref)
      select ${graph}, ${branch}, ${seq}, ${kind}, t.ref from ${list} t`,
  );
}

async function insertInBatches(
  place: VisibleRows,
  seq: number,
  touched: readonly TouchedRefs[],
): Promise<void> {
  const slice = new TimeSlice();
  for (const [kind, refs] of touched) {
    for (const some of iterateChunks(refs)) {
      if (slice.isOver) await slice.yieldToOthers();
      insertTouched(place, seq, kind, some);
    }
  }
}

/** Their rows have the commit's order, by which the database finds them. */
async function recordNewEdges({ executor, lineage }: VisibleRows, seq: number): Promise<void> {
  const { graph, levels } = lineage;
  const edges = sql`from edge_row where graph = ${graph} and branch = ${levels[0].branch} and order_seq = ${seq} and died is null`;
  const slice = new TimeSlice();
  for (let [after, last] = [-1, -1]; ; after = last) {
    if (slice.isOver) await slice.yieldToOthers();
    last = await selectNumber(
      executor,
      sql`select coalesce(max(step.order_position), -1) as n
        from (select order_position ${edges} and order_position > ${after} order by order_position limit ${bulkStep}) step`,
    );
    if (last < 0) return;
    executor.run(
      sql`insert into touched (graph, branch, seq, kind, ref) select graph, branch, order_seq, 'edge', row ${edges}
        and born = order_seq and order_position > ${after} and order_position <= ${last}`,
    );
  }
}

/** Any version identifies the edge, and this branch may not have one. */
async function anyEdgeRows(
  { executor, dialect, lineage }: VisibleRows,
  wanted: readonly EdgeIdentity[],
): Promise<number[]> {
  const identities = dialect.tuples(
    { from_node: 'integer', to_node: 'integer', type: 'text', key: 'text' },
    wanted.map(({ from, to, type, key }) => [from, to, type, key]),
  );
  const rows = await executor.all(
    sql`select r.row, r.from_node, r.to_node, r.type, r.key from ${identities} t cross join edge_row r
      where r.graph = ${lineage.graph} and r.from_node = t.from_node and r.to_node = t.to_node and r.type = t.type and r.key = t.key`,
  );
  const found = new Map(rows.map((row) => [edgeKey(readEdgeIdentity(row)), readNumber(row, 'row')]));
  return [...found.values()];
}
