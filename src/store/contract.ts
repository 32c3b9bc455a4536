import type { Author, ChangeCounts, Commit } from '../model/commit.js';
import type { Edge, EdgeIdentity } from '../model/edge.js';
import type { Branch, GraphRecord } from '../model/graph.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type { Rejection, RejectionDraft } from '../model/rejection.js';
import type { Violation } from '../model/violation.js';
import type {
  CountedIdentity,
  DatedChanges,
  DerivedProperty,
  GraphCounts,
  Identity,
  Link,
  NodeHits,
  ObservationTally,
  ObservationText,
  QueryPlan,
  QueryRows,
  TalliedNode,
  Touch,
  TouchedByCommit,
  Touches,
  TypeCounts,
  Unseen,
  WordStatistics,
} from './answers.js';
import type { EdgeDraft, IdentityDraft, NodeDraft, ObservationDraft, PropertyToIndex } from './drafts.js';
import type {
  CommitPage,
  EdgePage,
  NodePage,
  OrdinalRange,
  QueryOptions,
  RejectionPage,
  Scalars,
  StemsQuery,
  TouchPage,
  WordQuery,
} from './questions.js';
import type { ReadOptions } from './read-options.js';
import type { RowQuery } from './row-query.js';
import type { Collected, CollectOptions, Purged, PurgeOptions } from './upkeep.js';
import type { NearText, NodeVector, VectorSpace, Vectors } from './vectors.js';

/** What a kind of store can do; the conformance suite runs what a store declares. */
export interface Capabilities {
  /** Several named graphs in one store. */
  readonly graphs: boolean;
  /** Branches, and reads at a commit that another process made. */
  readonly branches: boolean;
  /** Keeping the writes that were not let in. */
  readonly rejections: boolean;
  /** A schema that belongs to a graph. */
  readonly schemas: boolean;
}

/** Which state of a graph to look at: the head of a branch, or the branch as it was at a commit. */
export interface ViewTarget {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** A commit id; default: the head. */
  readonly commit?: string | undefined;
}

/** Where a write goes. */
export interface WriteTarget {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
}

/** What is known of a commit before it is made: a merge, or one brought from elsewhere. It is recorded even if it changes nothing. */
export interface CommitStamp {
  /** Left out, a new one. */
  readonly id?: string;
  /** Left out, now. */
  readonly time?: number;
  readonly mergedParent?: string | null;
  /** Left out, what the write changes here is counted. */
  readonly counts?: ChangeCounts;
}

/** What a write left behind: its result, and its commit unless it changed nothing. */
export interface Written<T> {
  readonly result: T;
  readonly commit: Commit | null;
}

/** A place where rows live. Every implementation passes `test/store/conformance`. */
export interface Store {
  readonly kind: 'sqlite' | 'jsonl' | 'postgres';
  readonly capabilities: Capabilities;
  /** Where the data is, for people: a path, or a URL without its password. */
  readonly location: string;
  /** Writes of this process that wait for their turn. */
  readonly waitingWrites: number;
  /** Where vectors are kept; null if the store cannot. */
  readonly vectors: Vectors | null;

  graphs(): Promise<GraphRecord[]>;
  createGraph(name: string): Promise<GraphRecord>;
  /** Whoever knew it by its old name gets `GRAPH_NOT_FOUND` from then on. */
  renameGraph(name: string, to: string): Promise<GraphRecord>;
  /**
   * Deletes a graph with everything it ever held. It is gone at once, and its name free; its rows go in portions, and when
   * the promise resolves, none is left. Called again after an interruption, it removes what was left.
   */
  deleteGraph(name: string): Promise<void>;

  branches(graph: string): Promise<Branch[]>;
  /** Forks a branch from the head of another; costs one row. */
  createBranch(graph: string, name: string, from?: string): Promise<Branch>;
  /**
   * Hides a branch and frees its name. Refuses `main`, and a branch that others were forked from.
   *
   * @param made The branch as it was made: refuses one that was written to since, or that only has its name.
   */
  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch>;
  /** The record of a commit, whichever branch it is on. */
  commit(graph: string, id: string): Promise<Commit>;
  /** The history of a branch, with what was merged into it, newest first. */
  commits(target: WriteTarget, page?: { before?: number | undefined; limit?: number }): Promise<Commit[]>;
  /** Commits, of all branches that are not deleted, after a seq, oldest first: the graph's history as it happened. */
  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]>;
  /** What a commit created, changed or removed. */
  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit>;

  /**
   * Runs `work` on one consistent state of the graph, which has every write that was acknowledged before. Never waits for
   * a writer. One that is ended before it is done rejects at once, and its reader answers nothing more.
   */
  read<T>(target: ViewTarget, work: (reader: Reader) => Promise<T>, options?: ReadOptions): Promise<T>;

  /**
   * Runs `work` as one transaction and one commit: when the promise resolves, everything `work` did is durable; when it
   * rejects, nothing of it remains. `work` may run more than once, and must await nothing but the writer it is given.
   */
  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitStamp,
  ): Promise<Written<T>>;

  /**
   * Keeps a write that was not let in, outside the graph and its history: no commit, no digest, no copy knows of it. Of
   * each graph only the newest are kept, see `StoreOptions`.
   */
  keepRejection(graph: string, rejection: RejectionDraft): Promise<void>;
  /** Newest first. */
  rejections(graph: string, page?: RejectionPage): Promise<Rejection[]>;

  /**
   * Drops versions that no branch, no commit since a time and no merge of branches can see, in portions, while others use
   * the store. Records of commits and identities stay; a commit that cannot be read any more says so.
   */
  collect(graph: string, options: CollectOptions): Promise<Collected>;

  /**
   * Replaces a text in every version of everything and on every branch, and overwrites what it leaves in free space as
   * far as the database can.
   */
  purge(graph: string, options: PurgeOptions): Promise<Purged>;

  /** Looks for damage; an empty list means none was found. */
  check(): Promise<string[]>;
  /** What could be better about the store without being wrong. */
  advice(): Promise<string[]>;
  close(): Promise<void>;
}

/** Reads of one state of one graph. Every list is in creation order unless it says otherwise. */
export interface Reader {
  /** As long as it is the same, so is the order of what was there; a file that is read anew gets another one. */
  readonly epoch: string;

  /** The graph as a commit left it, in the same transaction; null: before its first commit. */
  at(commit: string | null): Promise<Reader>;
  /** The source of the schema in force; null on a graph without one. */
  schema(): Promise<string | null>;
  /** What a commit's history has that this state's has not. Its cost is that of the difference, not of the graph. */
  unseen(commit: string): Promise<Unseen>;

  /** Nodes that bear one of these names, stubs included. */
  nodesNamed(names: readonly string[]): Promise<Node[]>;
  nodesById(ids: readonly NodeId[]): Promise<Node[]>;
  /**
   * Real nodes of the type whose properties equal all the given ones, as JSON: 1 equals 1.0, but neither "1" nor true.
   * Looked up by index, as long as at least one property is given.
   */
  nodesMatching(type: string, props: Scalars): Promise<Node[]>;
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
  /** The time of the commit that last touched each node or its observations. */
  updatedAt(ids: readonly NodeId[]): Promise<Map<NodeId, number>>;
  /** The commit that last touched each node or its observations. */
  lastTouched(ids: readonly NodeId[]): Promise<Map<NodeId, Touch>>;
  /** Nodes as they were touched, newest first: one stands there as often as it was touched, also if it is gone since. */
  touches(page: TouchPage): Promise<Touch[]>;
  /** What the commits that led to this state changed, newest first. */
  commits(page: CommitPage): Promise<DatedChanges[]>;
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
  observationsWithWords(stems: readonly string[], query: StemsQuery): Promise<ObservationText[]>;
  /** Real nodes whose own text (name, type, summary, properties) has these stems, in no particular order. */
  nodesWithWords(stems: readonly string[], query: StemsQuery): Promise<Node[]>;
  /** What the observations of these nodes say; by node, then ordinal. */
  textsOf(ids: readonly NodeId[]): Promise<ObservationText[]>;
  /** The observations of each node whose ordinals lie in its range, both ends included; by node, then ordinal. */
  observationsBetween(ranges: readonly OrdinalRange[]): Promise<ObservationText[]>;

  /** The texts whose vectors are nearest to the query, best first, with their exact scores. */
  nearTexts(space: VectorSpace, query: Float32Array, wanted: WordQuery): Promise<NearText[]>;
  /** How many observations have a vector in the space. */
  countEmbedded(space: VectorSpace): Promise<number>;
  /** The sum of the vectors of each node's observations, of so many nodes that were made last. */
  nodeVectors(space: VectorSpace, limit: number): Promise<NodeVector[]>;

  /** The rows that a query asks for, all of them: more than `maxRows` are refused, and so is what is or takes too long. */
  query(query: RowQuery, options?: QueryOptions): Promise<QueryRows>;
  /** How that query would be run. */
  explain(query: RowQuery): Promise<QueryPlan>;
}

/** Reads that see the write's own changes, and the changes themselves. */
export interface Writer extends Reader {
  /** The time every row of this write is stamped with. */
  readonly now: number;

  /** All identities that bear one of these names, live or not, oldest node first. */
  identitiesNamed(names: readonly string[]): Promise<Identity[]>;
  /** Gives a (type, name) its node: the given one, or a new one. The pair must not have one yet. */
  addIdentities(drafts: readonly IdentityDraft[]): Promise<Identity[]>;

  /** Writes a new version of each node; one the branch does not see yet counts as created. */
  putNodes(drafts: readonly NodeDraft[]): Promise<void>;
  /** Removes nodes with their observations and every edge that touches them; answers those edges. */
  removeNodes(ids: readonly NodeId[]): Promise<Edge[]>;
  /** Adds or replaces observations; answers them with their ordinals, in the order given. */
  putObservations(drafts: readonly ObservationDraft[]): Promise<Observation[]>;
  removeObservations(
    identities: readonly { readonly node: NodeId; readonly ordinal: number }[],
  ): Promise<void>;
  putEdges(drafts: readonly EdgeDraft[]): Promise<void>;
  removeEdges(identities: readonly EdgeIdentity[]): Promise<void>;
  /**
   * Notes that a merge has looked at these and left them as they are on this branch, although the other one says
   * otherwise. That decides about them as a change would, so whatever compares histories must hear of it.
   */
  keep(touches: Touches): Promise<void>;

  /**
   * Puts another schema in force on this branch from this commit on, or none. What the write puts from now on is held
   * against it; what is there already, the caller has to look at: `violations('everything')`.
   */
  setSchema(source: string | null): Promise<void>;
  /** The properties that, by the schema in force, are made of others. */
  derivedProperties(): Promise<readonly DerivedProperty[]>;
  /** Brings rows along that were written under an earlier schema, as far as nothing is lost by it. */
  bringRows(earlier: string): Promise<void>;
  /**
   * What the schema in force has against what this write has put and removed so far, which has to be nothing at its end;
   * or against everything the branch has, of which the first thousand will do, and of which some may be put differently.
   */
  violations(of?: 'written' | 'everything'): Promise<readonly Violation[]>;

  /**
   * Has queries look these properties up in their order from now on, at every commit and on every branch. It changes
   * nothing that a reader sees, and keeps others from writing to the graph until the write ends.
   */
  indexProperties(properties: readonly PropertyToIndex[]): Promise<void>;

  /** What this write has changed so far. */
  readonly changes: ChangeCounts;
}
