import type { NodeId } from '../model/node.js';

/** What makes vectors comparable: the model, the perspective it looked from, and how many numbers they have. */
export interface VectorSpace {
  readonly model: string;
  /** Empty if one vector serves all perspectives. */
  readonly perspective: string;
  readonly dimension: number;
}

/** A text without a vector. */
export interface PendingText {
  /** Which row the text is of: a number that never means another text. */
  readonly document: number;
  readonly text: string;
}

export interface TextVector {
  readonly document: number;
  readonly vector: Float32Array;
}

/** A text that is near to a vector. */
export interface NearText {
  readonly node: NodeId;
  /** Null: the node's own text. */
  readonly ordinal: number | null;
  readonly text: string;
  /** The cosine of the angle between the two. */
  readonly score: number;
}

/** A node and the sum of the vectors of its observations, which points where their mean does. */
export interface NodeVector {
  readonly node: NodeId;
  readonly vector: Float32Array;
}

/**
 * The vectors of the texts in a store. They hang on rows, which never change, so branches and history need nothing of
 * their own, and what has no vector yet is simply a row without one: nothing is lost when a process ends.
 */
export interface VectorStore {
  /** Texts of a graph that have no vector in the space yet, oldest first. */
  pending(graph: string, space: VectorSpace, limit: number): Promise<PendingText[]>;
  /** Keeps vectors; a text that has got one meanwhile keeps that. */
  put(graph: string, space: VectorSpace, vectors: readonly TextVector[]): Promise<void>;
  /** The spaces that the graph has vectors in. */
  spaces(graph: string): Promise<VectorSpace[]>;
  /** Makes the vectors of a graph in a space quick to search, where the store has a way to; needed by no answer. */
  tend(graph: string, space: VectorSpace): Promise<void>;
  /** Drops every vector of a graph that is not in one of the spaces to keep. */
  forget(graph: string, keep?: readonly VectorSpace[]): Promise<void>;
}
