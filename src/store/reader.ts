import type { Commit } from '../model/commit.js';
import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type {
  CommitPage,
  LinkOptions,
  MaintainPairsRequest,
  NodePage,
  NodePairsRequest,
  OrdinalRange,
  QueryOptions,
  RowPage,
  ScalarProps,
  StemLookupOptions,
  TextLookupOptions,
  TouchPage,
  VersionRequest,
} from './read-requests.js';
import type {
  CommitSummary,
  CountedIdentity,
  GraphCounts,
  HistoryComparison,
  Identity,
  Link,
  MaintainPairsProgress,
  NearNodePairs,
  NodeHits,
  NodeTouch,
  NodeVersions,
  ObservationTally,
  ObservationText,
  QueryPlan,
  QueryRows,
  TalliedNode,
  TouchedByCommit,
  TypeCounts,
  WordStatistics,
  WrittenEdge,
} from './read-results.js';
import type { RowQuery } from './row-query.js';
import type { NearText, NodeVector, VectorSpace } from './vector-store.js';

/** The reads that validating a write needs. Lists are in creation order unless stated otherwise. */
export interface RowReader {
  /** The source of the schema in force, if any. */
  schema(): Promise<string | null>;
  nodesNamed(names: readonly string[]): Promise<Node[]>;
  nodesById(ids: readonly NodeId[]): Promise<Node[]>;
  /** Real nodes whose properties equal all the given ones, as JSON: 1 equals 1.0, but neither "1" nor true. */
  nodesMatching(type: string, props: ScalarProps): Promise<Node[]>;
  /** Like `nodesMatching`, for many values of one property. */
  nodesWithValues(
    type: string,
    property: string,
    values: readonly (string | number | boolean)[],
  ): Promise<Node[]>;
  /** Live or not, oldest node first. */
  identitiesNamed(names: readonly string[]): Promise<Identity[]>;
  nodes(page?: NodePage): Promise<Node[]>;
  /** Nodes that exist only because an edge names them. */
  stubs(): Promise<Node[]>;
  /** By node, then ordinal; only those with one of `texts`, if given. */
  observationsOf(ids: readonly NodeId[], texts?: readonly string[]): Promise<Observation[]>;
  edgesOf(ids: readonly NodeId[]): Promise<Edge[]>;
  edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<Edge[]>;
  edges(page?: RowPage): Promise<Edge[]>;
  countEdgesFrom(ids: readonly NodeId[], type: string): Promise<Map<NodeId, number>>;
  countsByType(): Promise<TypeCounts>;
}

export interface Reader extends RowReader {
  /** A graph that was deleted leaves its name to others, but never this. */
  readonly graphId: number;
  /** The order of what exists stays the same as long as this does; a file that is read again gets a new one. */
  readonly epoch: string;
  /** Names of nodes with characters that no database can hold (NUL, lone surrogates), shown as U+FFFD. Only in JSONL files. */
  readonly replacedIn: ReadonlySet<string>;

  /** The graph as a commit left it, in the same transaction; null: before its first commit. */
  at(commit: string | null): Promise<Reader>;
  touchedBy(commit: string): Promise<TouchedByCommit>;
  /** The first nodes, by id, whose rows or observations a commit touched. */
  nodesTouchedBy(commit: string, limit: number): Promise<NodeId[]>;
  /** Whether a commit belongs to the history of this state. */
  hasCommit(commit: string): Promise<boolean>;
  /** Compares the histories. The cost is that of the difference, not of the graph. */
  unseen(commit: string): Promise<HistoryComparison>;
  /** Those of the nodes that commits after this one touched; all of them if it is not part of this history. */
  nodesTouchedSince(commit: string, nodes: readonly NodeId[]): Promise<ReadonlySet<NodeId>>;

  /**
   * Candidates with properties whose names may be spelled like this one; about `limit` for each of the few ways to
   * spell it.
   */
  nodesSpeltLike(type: string, name: string, limit: number): Promise<Node[]>;
  /** Every (type, name) that ever meant one of these nodes, by node. */
  identitiesOf(ids: readonly NodeId[]): Promise<CountedIdentity[]>;
  /** Like `observationsOf`, without knowing the ids. */
  observationsNamed(names: readonly string[]): Promise<Observation[]>;
  /** Of every real node, by node and ordinal. */
  observations(): Promise<Observation[]>;
  observationsLength(): Promise<number>;
  /** Edges with an end among the nodes, stubs included, that have one of these names. */
  edgesNamed(names: readonly string[]): Promise<Edge[]>;
  /** When a commit last touched each node, its observations or its edges. */
  updatedAt(ids: readonly NodeId[]): Promise<Map<NodeId, number>>;
  /** The last commit that touched each node, its observations or its edges. */
  lastTouched(ids: readonly NodeId[]): Promise<Map<NodeId, NodeTouch>>;
  /** Newest first; a node appears once per touch, even if it is gone since. */
  touches(page: TouchPage): Promise<NodeTouch[]>;
  /** The commits that led to this state, newest first. */
  commits(page: CommitPage): Promise<CommitSummary[]>;
  /** What precedes the present values of a node. */
  versionsOf(request: VersionRequest): Promise<NodeVersions>;
  /** The edges of a node that each of these commits touched. */
  edgesTouched(node: NodeId, seqs: readonly number[]): Promise<ReadonlyMap<number, readonly EdgeIdentity[]>>;
  commitsAt(seqs: readonly number[]): Promise<Commit[]>;
  counts(): Promise<GraphCounts>;

  nodesWithoutEdges(page?: RowPage): Promise<Node[]>;
  /** Real nodes with observations whose summary is missing, or older than the newest of them. */
  nodesToSummarise(page?: RowPage): Promise<TalliedNode[]>;
  /** Nodes without observations are left out. */
  tallyObservations(ids: readonly NodeId[]): Promise<Map<NodeId, ObservationTally>>;
  /** The ends of the edges that touch these nodes, each pair once, in no particular order. */
  linksOf(ids: readonly NodeId[], options?: LinkOptions): Promise<Link[]>;
  /** How many edges each of these nodes has; without ids, those with the most edges, stubs included. */
  degrees(request: {
    readonly ids?: readonly NodeId[];
    readonly limit?: number;
  }): Promise<Map<NodeId, number>>;
  edgesBetween(ids: readonly NodeId[]): Promise<WrittenEdge[]>;

  /** Candidates: every real node whose texts contain `needle` (lower-cased), and others. Stops soon after `limit` nodes. */
  nodesContaining(needle: string, limit?: number): Promise<NodeHits>;
  /** About how many texts there are, and how many have each stem; for a common stem it may be an estimate. */
  wordStatistics(stems: readonly string[]): Promise<WordStatistics>;
  /** About the oldest first. */
  observationsWithWords(stems: readonly string[], query: StemLookupOptions): Promise<ObservationText[]>;
  /** Real nodes whose own text (name, type, summary, properties) has these stems, in no particular order. */
  nodesWithWords(stems: readonly string[], query: StemLookupOptions): Promise<Node[]>;
  /** By node, then ordinal. */
  textsOf(ids: readonly NodeId[]): Promise<ObservationText[]>;
  /** Ranges include both ends; by node, then ordinal. */
  observationsBetween(ranges: readonly OrdinalRange[]): Promise<ObservationText[]>;

  /** The texts nearest to the query, best first, with exact scores. */
  nearTexts(space: VectorSpace, query: Float32Array, wanted: TextLookupOptions): Promise<NearText[]>;
  countEmbedded(space: VectorSpace): Promise<number>;
  /** The sums of the vectors of each node's observations. */
  nodeVectors(space: VectorSpace, nodes: readonly NodeId[]): Promise<NodeVector[]>;
  /**
   * Pairs of nodes whose `nodeVectors` have at least this cosine, best first, with scores that are off by up to
   * `nodePairSlack`. Some pairs may be missing, or may be of a state that is a little older.
   */
  nearNodePairs(space: VectorSpace, request: NodePairsRequest): Promise<NearNodePairs>;
  /** Goes on finding similar nodes at the head of a branch, so that the first search of a new process need not. */
  maintainNodePairs(space: VectorSpace, request: MaintainPairsRequest): Promise<MaintainPairsProgress>;

  /** Returns all rows of a query, or throws if they are more than `maxRows`, or too long, or take too long. */
  query(query: RowQuery, options?: QueryOptions): Promise<QueryRows>;
  explain(query: RowQuery): Promise<QueryPlan>;
}
