import type { Executor } from '../executor.js';

export interface GraphSpaceKey {
  readonly graph: number;
  readonly space: number;
}

export interface GraphSpace extends GraphSpaceKey {
  readonly dimension: number;
}

/**
 * The nearest documents, best first by approximation, among `only` if given. Fewer than `count` means that there are no
 * more.
 */
export type FindNearest = (
  query: Float32Array,
  count: number,
  only?: readonly number[],
) => Promise<readonly number[]>;

/** Proposes candidates; the reader checks visibility and exact scores. */
export interface NearestDocumentIndex {
  forSpace(executor: Executor, space: GraphSpace): Promise<FindNearest>;
}
