import { readChunkSize, readInChunks } from '../../bounds/chunks.js';
import { forEachYielding, mapYielding, sortYielding } from '../../bounds/yielding-loops.js';
import type { EdgeIdentity } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import { compareOrder, type Order } from '../../model/order.js';
import type { LinkOptions, StemLookupOptions } from '../read-requests.js';
import type { Link, ObservationText } from '../read-results.js';
import type { Dialect, GraphContext } from './dialect.js';
import type { Executor, Fragment, SqlRow } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import {
  type EdgeRow,
  edgeColumns,
  type NodeRow,
  nodeColumns,
  type ObservationRow,
  observationColumns,
  observationTextColumns,
  readEdge,
  readNode,
  readNumber,
  readObservation,
  readObservationText,
} from './rows.js';
import { and, emptySql, joinSql, raw, sql } from './sql.js';

const byOrder = 'order by r.order_seq, r.order_position';

export function afterOrder(after: Order | undefined): Fragment[] {
  if (after === undefined) return [];
  return [sql`(r.order_seq, r.order_position) > (${after.seq}, ${after.position})`];
}

export function limitClause(limit: number | undefined): Fragment {
  return limit === undefined ? emptySql : sql`limit ${limit}`;
}

interface EdgeSelect {
  /** `edge_row r`, and what the conditions refer to. */
  readonly from?: Fragment;
  readonly where: readonly Fragment[];
  readonly tail?: Fragment;
}

/** Reads visible rows by conditions on a row `r`; nodes and edges in creation order, observations node by node. */
export class VisibleRows {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;

  constructor(executor: Executor, dialect: Dialect, lineage: Lineage) {
    this.executor = executor;
    this.dialect = dialect;
    this.lineage = lineage;
  }

  get graphContext(): GraphContext {
    return { executor: this.executor, dialect: this.dialect, graph: this.lineage.graph };
  }

  async selectNodes(condition: Fragment, tail: Fragment = emptySql): Promise<NodeRow[]> {
    const seen = visible('node_row', 'r', this.lineage);
    const rows = await this.executor.all(
      sql`select ${raw(nodeColumns)} from node_row r where ${seen} and ${condition} ${raw(byOrder)} ${tail}`,
    );
    return mapYielding(rows, readNode);
  }

  async nodesById(ids: readonly NodeId[]): Promise<NodeRow[]> {
    if (ids.length === 0) return [];
    const read = (some: readonly NodeId[]) =>
      this.selectNodes(this.dialect.inList('r.node', 'integer', some));
    if (ids.length <= readChunkSize) return read(ids);
    return inOrder(await readInChunks(ids, read));
  }

  async nodesNamed(names: readonly string[]): Promise<NodeRow[]> {
    if (names.length === 0) return [];
    const found = await readInChunks(names, (some) => this.#nodesOfNames(some));
    const nodes = names.length > readChunkSize ? await inOrder(found) : found;
    // A node that has had several types or names is found several times.
    return nodes.filter(({ row }, index) => row !== nodes[index - 1]?.row);
  }

  async #nodesOfNames(names: readonly string[]): Promise<NodeRow[]> {
    const list = this.dialect.names.matchesAny(names);
    const seen = visible('node_row', 'r', this.lineage);
    const rows = await this.executor.all(
      sql`select ${raw(nodeColumns)} from identity i cross join node_row r
        where i.graph = ${this.lineage.graph} and ${list} and r.node = i.node and ${seen} ${raw(byOrder)}`,
    );
    return mapYielding(rows, readNode);
  }

  async selectObservations(condition?: Fragment): Promise<ObservationRow[]> {
    return mapYielding(await this.#observationRows(observationColumns, condition), readObservation);
  }

  async observationsOf(ids: readonly NodeId[], texts?: readonly string[]): Promise<ObservationRow[]> {
    if (ids.length === 0) return [];
    const conditions = texts === undefined ? [] : [this.dialect.inList('r.text', 'text', texts)];
    // Sorted, so that the chunks follow one another as the nodes do.
    const sorted = ids.length <= readChunkSize ? ids : [...new Set(ids)].sort((a, b) => a - b);
    return readInChunks(sorted, (some) =>
      this.selectObservations(and([this.dialect.inList('r.node', 'integer', some), ...conditions])),
    );
  }

  async observationsNamed(names: readonly string[]): Promise<ObservationRow[]> {
    if (names.length === 0) return [];
    if (names.length <= readChunkSize) return this.selectObservations(this.isNamed('r.node', names));
    const found = await readInChunks(names, (some) => this.selectObservations(this.isNamed('r.node', some)));
    const rows = new Map(found.map((observation) => [observation.row, observation]));
    return [...rows.values()].sort((a, b) => a.node - b.node || a.ordinal - b.ordinal);
  }

  async observationsAt(
    wanted: readonly { readonly node: NodeId; readonly ordinal?: number }[],
  ): Promise<ObservationRow[]> {
    const places = new Set(wanted.map(({ node, ordinal }) => `${node} ${ordinal}`));
    const nodes = [...new Set(wanted.map(({ node }) => node))];
    const rows = await this.observationsOf(nodes);
    return rows.filter(({ node, ordinal }) => places.has(`${node} ${ordinal}`));
  }

  async selectTexts(condition: Fragment): Promise<ObservationText[]> {
    return mapYielding(await this.#observationRows(observationTextColumns, condition), readObservationText);
  }

  async selectEdges(select: EdgeSelect): Promise<EdgeRow[]> {
    const { from = sql`edge_row r`, tail = emptySql } = select;
    const where = and([visible('edge_row', 'r', this.lineage), ...select.where]);
    const rows = await this.executor.all(
      sql`select ${raw(edgeColumns)} from ${from} where ${where} ${raw(byOrder)} ${tail}`,
    );
    return mapYielding(rows, readEdge);
  }

  async edgesOf(ids: readonly NodeId[]): Promise<EdgeRow[]> {
    return this.#edgesWith(ids, (end, some) => this.dialect.inList(end, 'integer', some));
  }

  async edgesNamed(names: readonly string[]): Promise<EdgeRow[]> {
    return this.#edgesWith(names, (end, some) => this.isNamed(end, some));
  }

  async edgesBetween(ids: readonly NodeId[]): Promise<EdgeRow[]> {
    if (ids.length === 0) return [];
    return this.selectEdges({
      where: [
        this.dialect.inList('r.from_node', 'integer', ids),
        // Not a plain column: with its index, every pair of nodes would be a look-up of its own.
        this.dialect.inList('r.to_node + 0', 'integer', ids),
      ],
    });
  }

  async linksOf(ids: readonly NodeId[], { type, limit }: LinkOptions = {}): Promise<Link[]> {
    if (ids.length === 0) return [];
    const conditions = [visible('edge_row', 'r', this.lineage)];
    if (type !== undefined) conditions.push(sql`r.type = ${type}`);
    const ends = ['r.from_node', 'r.to_node'].map((end) => {
      const where = and([...conditions, this.dialect.inList(end, 'integer', ids)]);
      if (limit === undefined) return sql`select r.from_node, r.to_node from edge_row r where ${where}`;
      return sql`select * from (select distinct r.from_node, r.to_node from edge_row r where ${where} limit ${limit}) l`;
    });
    // A union drops what both halves find, and parallel edges.
    const rows = await this.executor.all(joinSql(ends, ' union '));
    return rows.map((row) => ({ from: readNumber(row, 'from_node'), to: readNumber(row, 'to_node') }));
  }

  async degrees({ ids, limit }: { readonly ids?: readonly NodeId[]; readonly limit?: number }) {
    if (ids?.length === 0) return new Map<NodeId, number>();
    const seen = visible('edge_row', 'r', this.lineage);
    const ends = ['r.from_node', 'r.to_node'].map((end) => {
      const among = ids === undefined ? [] : [this.dialect.inList(end, 'integer', ids)];
      return sql`select ${raw(end)} as node from edge_row r where ${and([seen, ...among])}`;
    });
    const rows = await this.executor.all(
      sql`select n.node, count(*) as degree from (${joinSql(ends, ' union all ')}) n
        group by n.node order by count(*) desc, n.node ${limitClause(limit)}`,
    );
    return new Map(rows.map((row) => [readNumber(row, 'node'), readNumber(row, 'degree')]));
  }

  async edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<EdgeRow[]> {
    if (identities.length === 0) return [];
    const edges = await readInChunks(identities, (some) => this.#edgesOfIdentities(some));
    return identities.length <= readChunkSize ? edges : uniqueInOrder(edges);
  }

  #edgesOfIdentities(identities: readonly EdgeIdentity[]): Promise<EdgeRow[]> {
    const wanted = this.dialect.tuples(
      { from_node: 'integer', to_node: 'integer', type: 'text', key: 'text' },
      identities.map(({ from, to, type, key }) => [from, to, type, key]),
    );
    return this.selectEdges({
      from: sql`${wanted} t cross join edge_row r`,
      where: [sql`r.from_node = t.from_node and r.to_node = t.to_node and r.type = t.type and r.key = t.key`],
    });
  }

  async rowsWithStems(
    table: 'node_row' | 'observation_row',
    columns: string,
    stems: readonly string[],
    { limit, types, node, match = 'all' }: StemLookupOptions,
  ): Promise<SqlRow[]> {
    if (stems.length === 0) return [];
    const conditions: Fragment[] = [table === 'node_row' ? sql`r.stub = 0` : sql`true`];
    if (types !== undefined) conditions.push(this.#isOfTypes(types));
    if (node !== undefined) conditions.push(sql`r.node = ${node}`);
    return this.dialect.textSearch.rowsWithStems(this.executor, this.lineage, {
      ...{ table, columns, stems, match, limit },
      where: and(conditions),
    });
  }

  isNamed(node: string, names: readonly string[]): Fragment {
    const list = this.dialect.names.matchesAny(names);
    return this.dialect.inSelect(
      node,
      sql`select i.node from identity i where i.graph = ${this.lineage.graph} and ${list}`,
    );
  }

  /** A row of a node or an observation belongs to a node of one of these types. */
  #isOfTypes(types: readonly string[]): Fragment {
    const where = and([visible('node_row', 'n', this.lineage), this.dialect.inList('n.type', 'text', types)]);
    return sql`exists (select 1 from node_row n where n.node = r.node and ${where})${raw(this.dialect.existsSuffix)}`;
  }

  #observationRows(columns: string, condition: Fragment | undefined): Promise<SqlRow[]> {
    const seen = visible('observation_row', 'r', this.lineage);
    const where = condition === undefined ? seen : and([seen, condition]);
    return this.executor.all(
      sql`select ${raw(columns)} from observation_row r where ${where} order by r.node, r.ordinal`,
    );
  }

  async #edgesWith<K>(
    keys: readonly K[],
    condition: (end: string, some: readonly K[]) => Fragment,
  ): Promise<EdgeRow[]> {
    if (keys.length === 0) return [];
    return uniqueInOrder(
      await readInChunks(keys, (some) => this.#edgesAtEnds((end) => condition(end, some))),
    );
  }

  /** Two look-ups rather than one `or`, which neither database plans well. */
  async #edgesAtEnds(condition: (end: string) => Fragment): Promise<EdgeRow[]> {
    const seen = visible('edge_row', 'r', this.lineage);
    const [from, to] = [condition('r.from_node'), condition('r.to_node')];
    const found = await this.executor.all(
      sql`select ${raw(edgeColumns)} from edge_row r where ${seen} and ${from}
        union all select ${raw(edgeColumns)} from edge_row r where ${seen} and ${to}`,
    );
    return mapYielding(found, readEdge);
  }
}

async function uniqueInOrder(found: readonly EdgeRow[]): Promise<EdgeRow[]> {
  const edges = new Map<number, EdgeRow>();
  await forEachYielding(found, (edge) => edges.set(edge.row, edge));
  return inOrder([...edges.values()]);
}

function inOrder<T extends { readonly order: Order }>(rows: readonly T[]): T[] | Promise<T[]> {
  return sortYielding(rows, (a, b) => compareOrder(a.order, b.order));
}
