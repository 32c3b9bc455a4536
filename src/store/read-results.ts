import type { ChangeCounts } from '../model/commit.js';
import type { EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type { Cell } from './row-query.js';

/** Nodes, which include their observations, and edges. */
export interface TouchedItems {
  readonly nodes: readonly NodeId[];
  readonly edges: readonly EdgeIdentity[];
}

export interface TouchedByCommit extends TouchedItems {
  /** What a merge left as it was on its branch although the other branch said otherwise; see `Writer.keep`. */
  readonly kept?: TouchedItems;
  /** The schema that holds from this commit on, or null for none; left out if the commit did not set one. */
  readonly schema?: string | null;
}

/** How the history of a commit relates to that of the state being read. */
export interface HistoryComparison {
  /**
   * `contained`: the commit is part of this state's history; `ahead`: this state is part of the commit's; `diverged`:
   * each has commits the other has not.
   */
  readonly relation: 'contained' | 'ahead' | 'diverged';
  /** The newest commit that both histories have; null if they share none. */
  readonly base: string | null;
  /** What the commits touched that this state's history has not. */
  readonly touched: TouchedItems;
}

export interface QueryRows {
  /** In the order of the query, each with a cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
}

/** How a query is run. */
export interface QueryPlan {
  /** In words: where it starts, by which index, and how it goes on. */
  readonly steps: readonly string[];
  readonly sql: string;
}

/** What an observation says: all that a search looks at, which reads far more of them than it answers with. */
export type ObservationText = Pick<Observation, 'node' | 'ordinal' | 'text'>;

export interface WordStatistics {
  /** Real nodes. */
  readonly nodes: number;
  readonly observations: number;
  /** How many texts, of nodes and observations, have each stem. */
  readonly texts: ReadonlyMap<string, number>;
}

/** That a commit touched a node. */
export interface NodeTouch {
  readonly node: NodeId;
  readonly seq: number;
  /** The time of the commit. */
  readonly time: number;
}

/** When a commit was made, and what it changed. */
export interface CommitSummary {
  /** The id of the commit. */
  readonly commit: string;
  readonly seq: number;
  readonly time: number;
  readonly counts: ChangeCounts;
}

/** How many observations a node has, and when the newest of them came. */
export interface ObservationTally {
  readonly observations: number;
  readonly newest: number;
}

export interface TalliedNode extends ObservationTally {
  readonly node: Node;
}

/** That an edge leads from one node to another. */
export interface Link {
  readonly from: NodeId;
  readonly to: NodeId;
}

export interface GraphCounts {
  readonly nodes: number;
  readonly observations: number;
  readonly edges: number;
}

export interface TypeCounts {
  readonly nodes: ReadonlyMap<string, number>;
  readonly edges: ReadonlyMap<string, number>;
}

/** Nodes whose text matches, in no particular order. `truncated` says that there may be more. */
export interface NodeHits {
  readonly nodes: readonly NodeId[];
  readonly truncated: boolean;
}

/** A (type, name) pair and the node it has always meant in this graph, on every branch. */
export interface Identity {
  readonly type: string;
  readonly name: string;
  readonly node: NodeId;
}

export interface CountedIdentity extends Identity {
  /** The ordinal the node's next observation gets. */
  readonly nextOrdinal: number;
}

/** A property of the nodes of a type that is made of another one: as good as that, and no better. */
export interface DerivedProperty {
  readonly type: string;
  readonly property: string;
  /** The property it is made of. */
  readonly from: string;
}
