import type { NodeId } from '../model/node.js';

/** What makes vectors comparable. */
export interface VectorSpace {
  readonly model: string;
  /** Empty if one vector serves all perspectives. */
  readonly perspective: string;
  readonly dimension: number;
}

export interface PendingText {
  /** The number of the text's row; it never means another text. */
  readonly document: number;
  readonly text: string;
  /** How many purges had rewritten texts of the graph by then. */
  readonly purges: number;
}

export interface TextVector {
  readonly document: number;
  readonly vector: Float32Array;
  /** As of the text; if there was a purge since, the vector may be of a text that is gone, and is not stored. */
  readonly purges?: number;
}

export interface NearText {
  readonly node: NodeId;
  /** Null: the node's own text. */
  readonly ordinal: number | null;
  readonly text: string;
  /** The cosine similarity. */
  readonly score: number;
}

/** The sum of the vectors of a node's observations, which points where their mean does. */
export interface NodeVector {
  readonly node: NodeId;
  readonly vector: Float32Array;
}

/** Bits of the vectors of nodes with neighbouring ids, as they are stored. */
export interface NodeChunk {
  readonly chunk: number;
  readonly nodes: Uint8Array;
  readonly bits: Uint8Array;
}

/** Which pairs of similar nodes are meant: those that a read of a branch compares in a space. */
export interface NodePairsPlace {
  readonly branch: number;
  /** The number of the space. */
  readonly space: number;
  /** 1: without the nodes of the gate registry. */
  readonly view: number;
}

/** What has changed in the saved pairs of similar nodes; see `Reader.maintainNodePairs`. */
export interface NodePairsPatch extends NodePairsPlace {
  /** The version that it changes, null if there was none. It is refused if there is another one. */
  readonly base: number | null;
  /** The version that it makes, which no other patch makes. */
  readonly version: number;
  /** Whether nothing of the version before is left. */
  readonly replacesAll: boolean;
  /** The commit, and the newest vector, that it was brought up to. */
  readonly seq: number;
  readonly vector: number;
  /** Nodes up to this one were read. */
  readonly upto: number;
  /** How many purges the graph had; it is refused after another one. */
  readonly purges: number;
  readonly body: Uint8Array;
  /** Chunks that have changed. */
  readonly chunks: readonly NodeChunk[];
}

/** How another thread opens the vectors of a database: a value that can be sent to it. */
export type VectorSource =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly plans: 'generic' | 'auto';
      readonly pgvector: boolean;
    };

/**
 * The vectors of texts. They belong to rows, which never change, so branches and history need nothing of their own. A
 * text without a vector is a row without one: nothing is lost when a process ends.
 */
export interface VectorStore {
  /** Undefined if no other thread can open them. */
  readonly source?: VectorSource | undefined;
  pending(graph: string, space: VectorSpace, limit: number): Promise<PendingText[]>;
  /** A text that already has a vector keeps it. */
  put(graph: string, space: VectorSpace, vectors: readonly TextVector[]): Promise<void>;
  spaces(graph: string): Promise<VectorSpace[]>;
  /** Another value after vectors of the space were dropped, by whichever process; null if there are none. */
  generation(graph: string, space: VectorSpace): Promise<number | null>;
  /** Makes the vectors quick to search, where the store can; no result depends on it. */
  maintain(graph: string, space: VectorSpace): Promise<void>;
  /** By name, the model that made the vectors of each property, as `setPropertyModel` recorded it. */
  propertyModels(graph: string): Promise<ReadonlyMap<string, string>>;
  setPropertyModel(graph: string, property: string, model: string): Promise<void>;
  /** Returns false if it is refused: another process has saved something else, or what it was made from is gone. */
  saveNodePairs(graph: string, patch: NodePairsPatch): Promise<boolean>;
  /** Drops the vectors of a graph outside the spaces to keep. */
  forget(graph: string, keep?: readonly VectorSpace[]): Promise<void>;
}
