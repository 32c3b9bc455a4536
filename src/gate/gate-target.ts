import type { Props } from '../model/json.js';
import type { Provenance } from '../model/provenance.js';

/** The properties that tell a node apart from the others of its label. */
export type Keys = Readonly<Record<string, string | number | boolean>>;

/** A node as the target holds it. */
export interface StoredNode {
  /** What the target knows it by; the gate only hands it back. */
  readonly ref: string | number;
  readonly label: string;
  /** What people call it: the text of its key. */
  readonly name: string;
  readonly properties: Props;
  readonly provenance: Provenance | null;
}

export interface StoredRelationship {
  readonly properties: Props;
  readonly provenance: Provenance | null;
}

/** A node as the gate wants it to be: properties and provenance are all it will have. */
export interface NodeToStore {
  /** The node to replace; left out, a new one is made. */
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

/** A node that might be meant by another key. */
export interface SimilarNode {
  readonly name: string;
  readonly keys: Keys;
}

/** One write in progress. It sees what it has itself written. */
export interface GateTransaction {
  /** The time everything in it is stamped with; milliseconds since 1970. */
  readonly now: number;
  /**
   * The nodes of a label whose properties equal all the keys, in name, type and value. If there is none, a single text key
   * that is `name`, or that the target's own schema declares as the key of the label, also means the node of that name
   * which was never given keys, so that what was not written through a gate is found.
   */
  nodesWith(label: string, keys: Keys): Promise<readonly StoredNode[]>;
  /** What a new node is called, unless another node of its label is called that. */
  nameFor(node: Pick<NodeToStore, 'label' | 'keys' | 'properties'>): Promise<string>;
  putNode(node: NodeToStore): Promise<StoredNode>;
  relationship(from: StoredNode, type: string, to: StoredNode): Promise<StoredRelationship | undefined>;
  putRelationship(relationship: RelationshipToStore): Promise<void>;
  /** Some nodes of the label whose names may be other spellings of this one: cheap to find, not verified, not all. */
  speltLike(label: string, name: string): Promise<readonly SimilarNode[]>;
}

/** Where the gate writes: what it needs of a graph database, and no more. */
export interface GateTarget {
  /**
   * Runs `work` as one transaction; what it throws undoes everything. It may run more than once, and must await nothing
   * but the transaction. Answers with the id of the commit, where the target has such a thing.
   */
  write<T>(
    work: (transaction: GateTransaction) => Promise<T>,
  ): Promise<{ readonly result: T; readonly commit: string | null }>;
}
