import type { Props } from '../model/json.js';
import type { Provenance } from '../model/provenance.js';

/** The properties that identify a node within its label. */
export type Keys = Readonly<Record<string, string | number | boolean>>;

export interface StoredNode {
  /** The target's own reference; the gate only hands it back. */
  readonly ref: string | number;
  readonly label: string;
  /** The text of its key. */
  readonly name: string;
  readonly properties: Props;
  readonly provenance: Provenance | null;
}

export interface StoredRelationship {
  readonly properties: Props;
  readonly provenance: Provenance | null;
}

/** Properties and provenance are complete: they replace what was stored. */
export interface NodeToStore {
  /** Left out for a new node. */
  readonly replaces?: StoredNode | undefined;
  readonly label: string;
  readonly keys: Keys;
  readonly properties: Props;
  readonly provenance: Provenance;
}

export interface RelationshipToStore extends StoredRelationship {
  readonly from: StoredNode;
  readonly type: string;
  readonly to: StoredNode;
  readonly provenance: Provenance;
}

/** A node the agent may have meant. */
export interface SimilarNode {
  readonly name: string;
  readonly keys: Keys;
}

/** A label whose nodes may be sources, and the property that names them. */
export interface SourceLabel {
  readonly label: string;
  readonly key: string;
}

/** What a reference in `derived_from` means: a node, or what a commit wrote. */
export interface KnownSource {
  readonly reference: string;
  /** What was stated there, with a confidence for each part. */
  readonly provenance: readonly Provenance[];
}

export interface UnknownSource {
  readonly reference: string;
  readonly suggestions: readonly string[];
}

export function isKnownSource(source: KnownSource | UnknownSource): source is KnownSource {
  return 'provenance' in source;
}

/** A write in progress; it sees its own changes. */
export interface GateTransaction {
  /** The time of its stamps; milliseconds since 1970. */
  readonly now: number;
  /**
   * The nodes of a label whose properties equal all the keys, in name, type and value. If there is none, a single text
   * key that is `name`, or that the target's schema declares as the key of the label, also matches the node of that
   * name without keys, because it was not written through a gate. With `mayCreate`, the transaction may assume that
   * there is none, for a node that is put next: if that was wrong, nothing is written and the work runs again.
   */
  nodesWith(label: string, keys: Keys, mayCreate?: boolean): Promise<readonly StoredNode[]>;
  /** The name of a new node, unless another node of its label has it. */
  nameFor(node: Pick<NodeToStore, 'label' | 'keys' | 'properties'>): Promise<string>;
  putNode(node: NodeToStore): Promise<StoredNode>;
  relationship(from: StoredNode, type: string, to: StoredNode): Promise<StoredRelationship | undefined>;
  putRelationship(relationship: RelationshipToStore): Promise<void>;
  /**
   * Nodes whose names may be other spellings of a new one: cheap to find, unverified, incomplete. The result is called
   * after the write, because some targets look while they write.
   */
  speltLike(label: string, name: string): Promise<() => readonly SimilarNode[]>;
  /** What these references mean, in their order: names of nodes, `Label:name`, or ids of commits. */
  findSources(
    references: readonly string[],
    labels: readonly SourceLabel[],
  ): Promise<readonly (KnownSource | UnknownSource)[]>;
}

export interface HeldWrite<T> {
  readonly result: T;
  readonly commit: string | null;
  /** The branch lacks commits of the one that the target writes to. */
  readonly isBehind: boolean;
}

/** The branches beside the one that a target writes to. */
export interface ReviewBranches {
  /** The branch that the target writes to. */
  readonly current: string;
  /** Like `GateTarget.write`, on another branch, which is created from the head of the current one if it is missing. */
  write<T>(branch: string, work: (transaction: GateTransaction) => Promise<T>): Promise<HeldWrite<T>>;
}

/** What the gate needs of a graph database. */
export interface GateTarget {
  /** Where writes wait for review; absent if the database has no branches. */
  readonly branches?: ReviewBranches | undefined;

  /**
   * Runs `work` as one transaction, undone if it throws. It may run more than once, and must await nothing but the
   * transaction. Returns the commit id, if the target has commits.
   */
  write<T>(
    work: (transaction: GateTransaction) => Promise<T>,
  ): Promise<{ readonly result: T; readonly commit: string | null }>;
}
