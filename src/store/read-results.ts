import type { ChangeCounts, Commit } from '../model/commit.js';
import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Branch } from '../model/graph-record.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type { Cell } from './row-query.js';
import type { NodePairsPatch } from './vector-store.js';

/** A node includes its observations. */
export interface TouchedItems {
  readonly nodes: readonly NodeId[];
  readonly edges: readonly EdgeIdentity[];
}

export interface TouchedByCommit extends TouchedItems {
  /** What a merge left unchanged although the other branch differed; see `Writer.keep`. */
  readonly kept?: TouchedItems;
  /** The schema that this commit set, or null if it removed it; left out if it did neither. */
  readonly schema?: string | null;
}

export interface BranchCommits {
  readonly graph: number;
  readonly branch: Branch;
  readonly commits: readonly Commit[];
}

export interface HistoryComparison {
  /** Whether the commit is part of this state's history, this state is part of the commit's, or neither. */
  readonly relation: 'contained' | 'ahead' | 'diverged';
  /** The newest shared commit; null if there is none. */
  readonly base: string | null;
  /** What the commits touched that only the other history has. */
  readonly touched: TouchedItems;
}

/** A place in the history: a branch, up to a commit. */
export interface HistoryPosition {
  readonly branch: number;
  readonly seq: number;
}

/** A row is visible on its branch from `born` until `died`, and on branches forked meanwhile, unless they hide it. */
export interface RowVersion<T> {
  readonly value: T;
  readonly branch: number;
  readonly born: number;
  readonly died: number | null;
  /** From where on branches hide it. */
  readonly hidden: readonly HistoryPosition[];
}

/** What precedes a commit. */
export interface CommitParents {
  readonly parentCollected: boolean;
  readonly merged: HistoryPosition | null;
  readonly mergedCollected: boolean;
}

export interface NodeVersions {
  /** The state that is read. */
  readonly position: HistoryPosition;
  readonly nodes: readonly RowVersion<Node>[];
  /** Whether `nodes` has all versions. */
  readonly isComplete: boolean;
  readonly observations: readonly RowVersion<Observation>[];
  readonly edges: readonly RowVersion<Edge>[];
  /** Where each branch was forked. */
  readonly forks: ReadonlyMap<number, HistoryPosition>;
  /** By the seqs at which versions were born. */
  readonly parents: ReadonlyMap<number, CommitParents>;
}

export interface QueryRows {
  /** In the order of the query, with a cell per column. */
  readonly rows: readonly (readonly Cell[])[];
}

export interface QueryPlan {
  /** In words: where it starts, which index it uses, and how it continues. */
  readonly steps: readonly string[];
  readonly sql: string;
}

/** All that a search reads of an observation. */
export type ObservationText = Pick<Observation, 'node' | 'ordinal' | 'text'>;

export interface WordStatistics {
  readonly nodes: number;
  readonly observations: number;
  readonly texts: ReadonlyMap<string, number>;
}

/** The lower id first. */
export interface NodePair {
  readonly a: NodeId;
  readonly b: NodeId;
  readonly score: number;
}

/** By how much the score of a proposed pair may be wrong. */
export const nodePairSlack = 0.01;

export interface NearNodePairs {
  readonly pairs: readonly NodePair[];
  /** How many nodes were compared, of how many; nodes without a vector are compared with none. */
  readonly compared: number;
  readonly nodes: number;
  /** Whether every pair was compared, by vectors or by bits; by bits, very few similar ones are missed. */
  readonly comparedAll: boolean;
  readonly outOfTime: boolean;
  /** Not all pairs below this score are known, since there were too many better ones; undefined if all are. */
  readonly leastKnown: number | undefined;
  /** Of all pairs. */
  readonly meanCosine: number;
}

export interface MaintainPairsProgress {
  /** Whether what is saved serves searches, once the patch is saved too. */
  readonly isDone: boolean;
  /** To be saved with `VectorStore.saveNodePairs`. */
  readonly patch?: NodePairsPatch;
}

export interface NodeTouch {
  readonly node: NodeId;
  readonly seq: number;
  readonly time: number;
  /** The id of the commit. */
  readonly commit: string;
  readonly actor: string;
}

export interface WrittenEdge extends Edge {
  /** The seq of the commit that wrote it last. */
  readonly born: number;
}

export interface CommitSummary {
  readonly commit: string;
  readonly seq: number;
  readonly time: number;
  readonly counts: ChangeCounts;
}

export interface ObservationTally {
  readonly observations: number;
  readonly newest: number;
}

export interface TalliedNode extends ObservationTally {
  readonly node: Node;
}

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

/** In no particular order; `truncated` if there may be more. */
export interface NodeHits {
  readonly nodes: readonly NodeId[];
  readonly truncated: boolean;
}

/** The node that a (type, name) pair means in this graph, on every branch and at any time. */
export interface Identity {
  readonly type: string;
  readonly name: string;
  readonly node: NodeId;
}

export interface CountedIdentity extends Identity {
  readonly nextOrdinal: number;
}

/** A property that is made of another, and no more reliable than that one. */
export interface DerivedProperty {
  readonly type: string;
  readonly property: string;
  readonly from: string;
}
