import type { Executor } from '../executor.js';

/** The vectors of one space that belong to one graph. */
export interface GraphSpace {
  readonly graph: number;
  /** The number of the space. */
  readonly space: number;
  readonly dimension: number;
}

/**
 * The documents nearest to a vector, about best first, and only some of all documents, if given. Fewer than asked for mean
 * that there are no more.
 */
export type Propose = (
  query: Float32Array,
  count: number,
  only?: readonly number[],
) => Promise<readonly number[]>;

/** Where a reader finds candidates: which of them it sees, and how near they really are, is found out afterwards. */
export interface NearestDocuments {
  among(executor: Executor, space: GraphSpace): Promise<Propose>;
}
