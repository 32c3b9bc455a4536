import type { NearPairs, NearPairsRequest } from './find-near-pairs.js';

/** What the thread is told; it handles messages in their order. */
export type NodePairMessage =
  | {
      readonly kind: 'put';
      readonly key: string;
      readonly dimension: number;
      readonly nodes: readonly number[];
      /** Of all nodes, one after the other. */
      readonly vectors: Float32Array;
    }
  | { readonly kind: 'remove'; readonly key: string; readonly nodes: readonly number[] }
  | { readonly kind: 'drop'; readonly key: string }
  | {
      readonly kind: 'find';
      readonly id: number;
      readonly key: string;
      /** The time is that of the thread's own clock. */
      readonly request: Omit<NearPairsRequest, 'until'>;
      readonly timeMs: number;
    };

export interface NodePairAnswer {
  readonly id: number;
  /** How many nodes were compared. */
  readonly compared: number;
  readonly found: NearPairs;
}
