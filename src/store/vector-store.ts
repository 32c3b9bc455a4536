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
}

export interface TextVector {
  readonly document: number;
  readonly vector: Float32Array;
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
  tend(graph: string, space: VectorSpace): Promise<void>;
  /** By name, the model that made the vectors of each property, as `setPropertyModel` recorded it. */
  propertyModels(graph: string): Promise<ReadonlyMap<string, string>>;
  setPropertyModel(graph: string, property: string, model: string): Promise<void>;
  /** Drops the vectors of a graph outside the spaces to keep. */
  forget(graph: string, keep?: readonly VectorSpace[]): Promise<void>;
}
