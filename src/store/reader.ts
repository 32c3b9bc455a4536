import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type {
  CommitPage,
  EdgePage,
  NodePage,
  OrdinalRange,
  QueryOptions,
  ScalarProps,
  StemLookupOptions,
  TextLookupOptions,
  TouchPage,
} from './read-requests.js';
import type {
  CommitSummary,
  CountedIdentity,
  GraphCounts,
  HistoryComparison,
  Identity,
  Link,
  NodeHits,
  NodeTouch,
  ObservationTally,
  ObservationText,
  QueryPlan,
  QueryRows,
  TalliedNode,
  TouchedByCommit,
  TypeCounts,
  WordStatistics,
} from './read-results.js';
import type { RowQuery } from './row-query.js';
import type { NearText, NodeVector, VectorSpace } from './vector-store.js';

/** Reads of one state of one graph. Every list is in creation order unless it says otherwise. */
export interface Reader {
  /** As long as it is the same, so is the order of what was there; a file that is read anew gets another one. */
  readonly epoch: string;
  /**
   * The names of nodes with texts that have characters no database can hold (NUL, half of a surrogate pair) and that are
   * shown with U+FFFD instead. Only a file of JSON lines has such.
   */
  readonly replacedIn: ReadonlySet<string>;

  /** The graph as a commit left it, in the same transaction; null: before its first commit. */
  at(commit: string | null): Promise<Reader>;
  /** The source of the schema in force; null on a graph without one. */
  schema(): Promise<string | null>;
  /** What a commit created, changed or removed. */
  touchedBy(commit: string): Promise<TouchedByCommit>;
  /** What a commit's history has that this state's has not. Its cost is that of the difference, not of the graph. */
  unseen(commit: string): Promise<HistoryComparison>;

  /** Nodes that bear one of these names, stubs included. */
  nodesNamed(names: readonly string[]): Promise<Node[]>;
  nodesById(ids: readonly NodeId[]): Promise<Node[]>;
  /**
   * Real nodes of the type whose properties equal all the given ones, as JSON: 1 equals 1.0, but neither "1" nor true.
   * Looked up by index, as long as at least one property is given.
   */
  nodesMatching(type: string, props: ScalarProps): Promise<Node[]>;
  /** Real nodes of the type that have one of these values in a property: `nodesMatching` for many values at once. */
  nodesWithValues(
    type: string,
    property: string,
    values: readonly (string | number | boolean)[],
  ): Promise<Node[]>;
  /**
   * Real nodes of the type, among those that have properties, whose names may be spelt almost like this one: some that are
   * not too, and not all that are. Looked up by index; about `limit` at most for each of the few ways to spell a name.
   */
  nodesSpeltLike(type: string, name: string, limit: number): Promise<Node[]>;
  /** All identities that bear one of these names, live or not, oldest node first. */
  identitiesNamed(names: readonly string[]): Promise<Identity[]>;
  /** Every (type, name) that means one of these nodes, on any branch and at any time, by node. */
  identitiesOf(ids: readonly NodeId[]): Promise<CountedIdentity[]>;
  /** Real nodes, a page at a time. */
  nodes(page?: NodePage): Promise<Node[]>;
  /** Every node that exists only because an edge names it. */
  stubs(): Promise<Node[]>;
  /** By node, then ordinal; only those with one of these texts, if some are given. */
  observationsOf(ids: readonly NodeId[], texts?: readonly string[]): Promise<Observation[]>;
  /** The observations of the nodes that bear one of these names: what `observationsOf` answers, without asking for ids. */
  observationsNamed(names: readonly string[]): Promise<Observation[]>;
  /** Every observation of every real node, by node and ordinal: for whole-graph reads. */
  observations(): Promise<Observation[]>;
  /** How many characters all observations of all real nodes have. */
  observationsLength(): Promise<number>;
  /** Edges with at least one end among these nodes. */
  edgesOf(ids: readonly NodeId[]): Promise<Edge[]>;
  /** Edges with at least one end among the nodes, stubs included, that bear one of these names. */
  edgesNamed(names: readonly string[]): Promise<Edge[]>;
  edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<Edge[]>;
  edges(page?: EdgePage): Promise<Edge[]>;
  /** How many edges of a type lead away from each of these nodes; one without any is left out. */
  countEdgesFrom(ids: readonly NodeId[], type: string): Promise<Map<NodeId, number>>;
  /** The time of the commit that last touched each node, its observations or its edges. */
  updatedAt(ids: readonly NodeId[]): Promise<Map<NodeId, number>>;
  /** The commit that last touched each node, its observations or its edges. */
  lastTouched(ids: readonly NodeId[]): Promise<Map<NodeId, NodeTouch>>;
  /** Nodes as they were touched, newest first: one stands there as often as it was touched, also if it is gone since. */
  touches(page: TouchPage): Promise<NodeTouch[]>;
  /** What the commits that led to this state changed, newest first. */
  commits(page: CommitPage): Promise<CommitSummary[]>;
  counts(): Promise<GraphCounts>;
  /** How many real nodes there are of each type, and how many edges, in no particular order. */
  countsByType(): Promise<TypeCounts>;

  /** Real nodes that no edge touches. */
  nodesWithoutEdges(page?: NodePage): Promise<Node[]>;
  /** Real nodes with observations whose summary is missing, or older than the newest of them. */
  nodesToSummarise(page?: NodePage): Promise<TalliedNode[]>;
  /** How many observations nodes have, and when the newest came; nodes without any are left out. */
  tallyObservations(ids: readonly NodeId[]): Promise<Map<NodeId, ObservationTally>>;
  /** The ends of the edges that touch these nodes, each pair once, in no particular order. */
  linksOf(ids: readonly NodeId[]): Promise<Link[]>;
  /** Edges with both ends among these nodes. */
  edgesBetween(ids: readonly NodeId[]): Promise<Edge[]>;

  /**
   * Real nodes that may contain `needle` (lower-cased) in their name, type, a property or an observation: every node
   * that does, and possibly some that do not, so the caller verifies. Stops soon after `limit` nodes, if one is given.
   */
  nodesContaining(needle: string, limit?: number): Promise<NodeHits>;
  /** About how many texts there are, and how many of them have each of these stems; of a common stem it may be an estimate. */
  wordStatistics(stems: readonly string[]): Promise<WordStatistics>;
  /** Observations that have these stems, about the oldest first. */
  observationsWithWords(stems: readonly string[], query: StemLookupOptions): Promise<ObservationText[]>;
  /** Real nodes whose own text (name, type, summary, properties) has these stems, in no particular order. */
  nodesWithWords(stems: readonly string[], query: StemLookupOptions): Promise<Node[]>;
  /** What the observations of these nodes say; by node, then ordinal. */
  textsOf(ids: readonly NodeId[]): Promise<ObservationText[]>;
  /** The observations of each node whose ordinals lie in its range, both ends included; by node, then ordinal. */
  observationsBetween(ranges: readonly OrdinalRange[]): Promise<ObservationText[]>;

  /** The texts whose vectors are nearest to the query, best first, with their exact scores. */
  nearTexts(space: VectorSpace, query: Float32Array, wanted: TextLookupOptions): Promise<NearText[]>;
  /** How many observations have a vector in the space. */
  countEmbedded(space: VectorSpace): Promise<number>;
  /** The sum of the vectors of each node's observations, of so many nodes that were made last. */
  nodeVectors(space: VectorSpace, limit: number): Promise<NodeVector[]>;

  /** The rows that a query asks for, all of them: more than `maxRows` are refused, and so is what is or takes too long. */
  query(query: RowQuery, options?: QueryOptions): Promise<QueryRows>;
  /** How that query would be run. */
  explain(query: RowQuery): Promise<QueryPlan>;
}
