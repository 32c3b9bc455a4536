import type { Executor } from '../executor.js';

/** The vectors of one space that belong to one graph, by the numbers of both. */
export interface GraphSpaceKey {
  readonly graph: number;
  readonly space: number;
}

/** The same, and how many numbers each of its vectors has. */
export interface GraphSpace extends GraphSpaceKey {
  readonly dimension: number;
}

/**
 * The documents nearest to a vector, about best first, and only some of all documents, if given. Fewer than asked for mean
 * that there are no more.
 */
export type FindNearest = (
  query: Float32Array,
  count: number,
  only?: readonly number[],
) => Promise<readonly number[]>;

/** Where a reader finds candidates: which of them it sees, and how near they really are, is found out afterwards. */
export interface NearestDocumentIndex {
  forSpace(executor: Executor, space: GraphSpace): Promise<FindNearest>;
}
