export interface TableTypes {
  /** A row id from the database, higher than all others; used again only after the newest row was deleted with its graph. */
  readonly rowId: string;
  readonly integer: string;
  readonly real: string;
  /** Suffix of a table that is stored in the order of its primary key. */
  readonly clustered: string;
}

/**
 * The tables, as of the first migration. Every key starts with the graph, so that they can be distributed by it.
 *
 * Rows are versioned: `branch` is the branch that wrote the row, `born` the seq that made it and `died` the one that
 * replaced or deleted it. A branch never touches its parent's rows; a row of `shadow` hides one from it instead.
 */
export function createTables({ rowId, integer, real, clustered }: TableTypes): string[] {
  const version = `branch ${integer} not null, born ${integer} not null, died ${integer}`;
  const order = `order_seq ${integer} not null, order_position ${integer} not null`;
  return [
    `create table graph (id ${integer} primary key, name text not null unique, created_at ${integer} not null)`,

    `create table branch (
      graph ${integer} not null, id ${integer} not null, name text not null, parent ${integer},
      fork_seq ${integer} not null, head_seq ${integer} not null, head_commit text, created_at ${integer} not null, deleted_at ${integer},
      primary key (graph, id))`,
    'create unique index branch_name on branch (graph, name) where deleted_at is null',

    `create table commit_log (
      graph ${integer} not null, seq ${integer} not null, id text not null, branch ${integer} not null,
      parent text, merged_parent text, actor text not null, tool text not null, time ${integer} not null,
      counts text not null, primary key (graph, seq)) ${clustered}`,
    'create unique index commit_id on commit_log (graph, id)',

    // What a (type, name) means, on every branch and for ever. `next_ordinal` is the same on all rows of one node.
    `create table identity (
      graph ${integer} not null, name text not null, type text not null, node ${integer} not null,
      next_ordinal ${integer} not null, primary key (graph, name, type)) ${clustered}`,
    'create index identity_node on identity (graph, node)',

    `create table node_row (
      row ${rowId}, graph ${integer} not null, node ${integer} not null, ${version}, type text not null,
      name text not null, stub ${integer} not null, summary text, summary_updated_at ${integer}, tags text,
      props text, provenance text, created_at ${integer} not null, ${order})`,
    'create unique index node_live on node_row (graph, branch, node) where died is null',
    'create index node_live_order on node_row (graph, branch, stub, order_seq, order_position) where died is null',
    'create index node_history on node_row (graph, node, branch, born)',

    `create table observation_row (
      row ${rowId}, graph ${integer} not null, node ${integer} not null, ordinal ${integer} not null, ${version},
      text text not null, provenance text, created_at ${integer} not null)`,
    'create unique index observation_live on observation_row (graph, branch, node, ordinal) where died is null',
    'create index observation_history on observation_row (graph, node, ordinal, branch, born)',

    `create table edge_row (
      row ${rowId}, graph ${integer} not null, from_node ${integer} not null, to_node ${integer} not null,
      type text not null, key text not null, ${version}, from_name text not null, to_name text not null,
      weight ${real} not null, props text, provenance text, created_at ${integer} not null, ${order})`,
    'create unique index edge_live on edge_row (graph, branch, from_node, to_node, type, key) where died is null',
    'create index edge_live_to on edge_row (graph, branch, to_node) where died is null',
    'create index edge_live_order on edge_row (graph, branch, order_seq, order_position) where died is null',
    'create index edge_from_history on edge_row (graph, from_node, to_node, branch, born)',
    'create index edge_to_history on edge_row (graph, to_node, branch, born)',

    `create table shadow (
      graph ${integer} not null, kind text not null, row ${integer} not null, branch ${integer} not null,
      born ${integer} not null, primary key (graph, kind, row, branch)) ${clustered}`,

    // Append-only: what each commit touched. kind 'node': ref is the node; kind 'edge': ref is a row of the edge;
    // kind 'node_end': ref is a node of which only edges were touched, which counts for when it last changed.
    `create table touched (
      graph ${integer} not null, branch ${integer} not null, seq ${integer} not null, kind text not null,
      ref ${integer} not null, primary key (graph, branch, seq, kind, ref)) ${clustered}`,
    'create index touched_ref on touched (graph, kind, ref, branch, seq)',
  ];
}

/** What else a commit says about its author: the MCP client, and a message. */
export const addAuthorColumns = ['client', 'message'].map(
  (column) => `alter table commit_log add column ${column} text`,
);

/**
 * How many purges have rewritten the graph's history, the same on all its branches. On the branch, because a write locks
 * that row and so reads its newest version.
 */
export function addPurgesColumn({ integer }: Pick<TableTypes, 'integer'>): string {
  return `alter table branch add column purges ${integer} not null default 0`;
}

/** Finds the nodes of a type, in creation order, without looking at the others. */
export const createTypeIndex = `create index node_live_type on node_row (graph, branch, stub, type, order_seq, order_position)
    where died is null`;

/** Deleted graphs: their ids are never used again, and `emptied_at` is null while rows may be left. */
export function createRemovedGraphTable({ integer }: Pick<TableTypes, 'integer'>): string {
  return `create table removed_graph (
    id ${integer} primary key, name text not null, removed_at ${integer} not null, emptied_at ${integer})`;
}

export function addHistoryColumns({ integer }: Pick<TableTypes, 'integer'>): string[] {
  return [
    // 1: the state has been dropped and cannot be read.
    `alter table commit_log add column collected ${integer} not null default 0`,
    'create index commit_merges on commit_log (graph, branch, seq) where merged_parent is not null',
  ];
}
