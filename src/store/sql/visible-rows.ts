import { readChunkSize, readInChunks } from '../../bounds/chunks.js';
import { mapYielding } from '../../bounds/yielding-loops.js';
import type { Edge, EdgeIdentity } from '../../model/edge.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import { compareOrder, type Order } from '../../model/order.js';
import type { StemLookupOptions } from '../read-requests.js';
import type { ObservationText } from '../read-results.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment, SqlRow } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import {
  edgeColumns,
  nodeColumns,
  observationColumns,
  observationTextColumns,
  readEdge,
  readNode,
  readObservation,
  readObservationText,
  type Versioned,
} from './rows.js';
import { and, emptySql, raw, sql } from './sql.js';

const byOrder = 'order by r.order_seq, r.order_position';

/** Rows `r` that come after a place in creation order. */
export function afterOrder(after: Order | undefined): Fragment[] {
  if (after === undefined) return [];
  return [sql`(r.order_seq, r.order_position) > (${after.seq}, ${after.position})`];
}

export function limitClause(limit: number | undefined): Fragment {
  return limit === undefined ? emptySql : sql`limit ${limit}`;
}

/** Which edges are wanted. */
interface EdgeSelect {
  /** `edge_row r`, and what the conditions refer to besides. */
  readonly from?: Fragment;
  readonly where: readonly Fragment[];
  readonly tail?: Fragment;
}

/** The rows that one lineage sees, by conditions on a row `r`. */
export class VisibleRows {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;

  constructor(executor: Executor, dialect: Dialect, lineage: Lineage) {
    this.executor = executor;
    this.dialect = dialect;
    this.lineage = lineage;
  }

  /** The nodes that meet a condition, in order. */
  async nodes(condition: Fragment, tail: Fragment = emptySql): Promise<(Node & Versioned)[]> {
    const seen = visible('node_row', 'r', this.lineage);
    const rows = await this.executor.all(
      sql`select ${raw(nodeColumns)} from node_row r where ${seen} and ${condition} ${raw(byOrder)} ${tail}`,
    );
    return mapYielding(rows, readNode);
  }

  /** The nodes of these ids, in order. */
  async nodesById(ids: readonly NodeId[]): Promise<(Node & Versioned)[]> {
    if (ids.length === 0) return [];
    const read = (some: readonly NodeId[]) => this.nodes(this.dialect.inList('r.node', 'integer', some));
    if (ids.length <= readChunkSize) return read(ids);
    return (await readInChunks(ids, read)).sort((a, b) => compareOrder(a.order, b.order));
  }

  /** The nodes that bear one of the names, or ever did, in order. */
  async nodesNamed(names: readonly string[]): Promise<(Node & Versioned)[]> {
    if (names.length === 0) return [];
    const nodes = await readInChunks(names, (some) => this.#nodesOfNames(some));
    if (names.length > readChunkSize) nodes.sort((a, b) => compareOrder(a.order, b.order));
    // A node that has had several types or names is found as often.
    return nodes.filter(({ row }, index) => row !== nodes[index - 1]?.row);
  }

  async #nodesOfNames(names: readonly string[]): Promise<(Node & Versioned)[]> {
    const list = this.dialect.names.matchesAny(names);
    const seen = visible('node_row', 'r', this.lineage);
    const rows = await this.executor.all(
      sql`select ${raw(nodeColumns)} from identity i cross join node_row r
        where i.graph = ${this.lineage.graph} and ${list} and r.node = i.node and ${seen} ${raw(byOrder)}`,
    );
    return mapYielding(rows, readNode);
  }

  /** The observations that meet a condition, or all, node by node. */
  async observations(condition?: Fragment): Promise<(Observation & Versioned)[]> {
    return mapYielding(await this.#observationRows(observationColumns, condition), readObservation);
  }

  /** The observations of these nodes that meet the conditions, node by node. */
  async observationsOf(
    ids: readonly NodeId[],
    conditions: readonly Fragment[] = [],
  ): Promise<(Observation & Versioned)[]> {
    // In order, so that portions follow one another as the nodes do.
    const sorted = ids.length <= readChunkSize ? ids : [...new Set(ids)].sort((a, b) => a - b);
    return readInChunks(sorted, (some) =>
      this.observations(and([this.dialect.inList('r.node', 'integer', some), ...conditions])),
    );
  }

  /** The observations of the nodes that bear one of these names, or ever did, node by node. */
  async observationsNamed(names: readonly string[]): Promise<(Observation & Versioned)[]> {
    if (names.length <= readChunkSize) return this.observations(this.isNamed('r.node', names));
    const found = await readInChunks(names, (some) => this.observations(this.isNamed('r.node', some)));
    const rows = new Map(found.map((observation) => [observation.row, observation]));
    return [...rows.values()].sort((a, b) => a.node - b.node || a.ordinal - b.ordinal);
  }

  /** The observations with these ordinals of their nodes. */
  async observationsAt(
    wanted: readonly { readonly node: NodeId; readonly ordinal?: number }[],
  ): Promise<(Observation & Versioned)[]> {
    const places = new Set(wanted.map(({ node, ordinal }) => `${node} ${ordinal}`));
    const nodes = [...new Set(wanted.map(({ node }) => node))];
    const rows = await this.observationsOf(nodes);
    return rows.filter(({ node, ordinal }) => places.has(`${node} ${ordinal}`));
  }

  /** The texts of the observations that meet a condition, node by node. */
  async texts(condition: Fragment): Promise<ObservationText[]> {
    return mapYielding(await this.#observationRows(observationTextColumns, condition), readObservationText);
  }

  /** The edges that meet all conditions, in order. */
  async edges(select: EdgeSelect): Promise<(Edge & Versioned)[]> {
    const { from = sql`edge_row r`, tail = emptySql } = select;
    const where = and([visible('edge_row', 'r', this.lineage), ...select.where]);
    const rows = await this.executor.all(
      sql`select ${raw(edgeColumns)} from ${from} where ${where} ${raw(byOrder)} ${tail}`,
    );
    return mapYielding(rows, readEdge);
  }

  /** The edges at either end of which is one of these nodes. */
  async edgesOf(ids: readonly NodeId[]): Promise<(Edge & Versioned)[]> {
    return this.#edgesWith(ids, (end, some) => this.dialect.inList(end, 'integer', some));
  }

  /** The edges at either end of which is a node of one of these names. */
  async edgesNamed(names: readonly string[]): Promise<(Edge & Versioned)[]> {
    return this.#edgesWith(names, (end, some) => this.isNamed(end, some));
  }

  async edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<(Edge & Versioned)[]> {
    if (identities.length === 0) return [];
    const edges = await readInChunks(identities, (some) => this.#edgesOfIdentities(some));
    return identities.length <= readChunkSize ? edges : uniqueInOrder(edges);
  }

  #edgesOfIdentities(identities: readonly EdgeIdentity[]): Promise<(Edge & Versioned)[]> {
    const wanted = this.dialect.tuples(
      { from_node: 'integer', to_node: 'integer', type: 'text', key: 'text' },
      identities.map(({ from, to, type, key }) => [from, to, type, key]),
    );
    return this.edges({
      from: sql`${wanted} t cross join edge_row r`,
      where: [sql`r.from_node = t.from_node and r.to_node = t.to_node and r.type = t.type and r.key = t.key`],
    });
  }

  /** The rows of nodes or observations that have words. */
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

  /** The condition that a node bears one of the names, or ever did. */
  isNamed(node: string, names: readonly string[]): Fragment {
    const list = this.dialect.names.matchesAny(names);
    return this.dialect.inSelect(
      node,
      sql`select i.node from identity i where i.graph = ${this.lineage.graph} and ${list}`,
    );
  }

  /** The condition that a row, of a node or an observation, belongs to a node of one of these types. */
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

  /** The edges whose ends meet a condition on a list, in order. */
  async #edgesWith<K>(
    keys: readonly K[],
    condition: (end: string, some: readonly K[]) => Fragment,
  ): Promise<(Edge & Versioned)[]> {
    if (keys.length === 0) return [];
    return uniqueInOrder(
      await readInChunks(keys, (some) => this.#edgesAtEnds((end) => condition(end, some))),
    );
  }

  /** Two look-ups by index rather than one `or`, which neither database plans well. */
  async #edgesAtEnds(condition: (end: string) => Fragment): Promise<(Edge & Versioned)[]> {
    const seen = visible('edge_row', 'r', this.lineage);
    const [from, to] = [condition('r.from_node'), condition('r.to_node')];
    const found = await this.executor.all(
      sql`select ${raw(edgeColumns)} from edge_row r where ${seen} and ${from}
        union all select ${raw(edgeColumns)} from edge_row r where ${seen} and ${to}`,
    );
    return mapYielding(found, readEdge);
  }
}

/** Each edge once, in creation order. */
function uniqueInOrder(found: readonly (Edge & Versioned)[]): (Edge & Versioned)[] {
  const edges = new Map(found.map((edge) => [edge.row, edge]));
  return [...edges.values()].sort((a, b) => compareOrder(a.order, b.order));
}
