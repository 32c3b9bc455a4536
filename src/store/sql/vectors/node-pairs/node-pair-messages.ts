import type { NodeChunk } from '../../../vector-store.js';
import type { NodeVectors } from '../node-vectors.js';
import type { WantedPairs } from './node-pairs.js';
import type { PairLimits } from './saved/saved-pairs.js';

/** What the thread is told; it handles messages in their order. */
export type NodePairMessage = NodePairNews | (NodePairQuestion & { readonly id: number });

export type NodePairNews =
  /** Before anything else of a key, unless it is loaded. */
  | { readonly kind: 'start'; readonly key: string; readonly dimension: number }
  | (NodeVectors & {
      /**
       * `put`: nodes have these vectors now. `fill`: saved nodes have them. `recall`: saved nodes had them, and will be put or
       * removed.
       */
      readonly kind: 'put' | 'fill' | 'recall';
      readonly key: string;
    })
  | { readonly kind: 'remove'; readonly key: string; readonly nodes: readonly number[] }
  | { readonly kind: 'chunks'; readonly key: string; readonly chunks: readonly NodeChunk[] }
  | { readonly kind: 'drop'; readonly key: string };

export type NodePairQuestion =
  | {
      readonly kind: 'find';
      readonly key: string;
      readonly limits: PairLimits;
      /** By the thread's own clock. */
      readonly timeMs: number;
      /** Whether the pairs are wanted, or only to be found. */
      readonly wantsPairs: boolean;
    }
  /** Loads what was saved, after its chunks. */
  | { readonly kind: 'load'; readonly key: string; readonly body: Uint8Array }
  | { readonly kind: 'save'; readonly key: string };

export type NodePairAnswer =
  | {
      readonly kind: 'find';
      /** How many nodes were compared. */
      readonly compared: number;
      readonly isDone: boolean;
      /** Nodes whose vectors are needed to go on. */
      readonly missing: readonly number[];
      readonly found: WantedPairs | undefined;
    }
  /** Whether it could be used. */
  | { readonly kind: 'load'; readonly isLoaded: boolean }
  | { readonly kind: 'save'; readonly body: Uint8Array; readonly chunks: readonly NodeChunk[] };

/** What is said to a question of a kind. */
export type AnswerTo<K extends NodePairQuestion['kind']> = Extract<NodePairAnswer, { readonly kind: K }>;
