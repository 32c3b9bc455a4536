import type { SimilarPair } from '../../consolidation/clusters.js';
import type { Node, NodeId } from '../../model/node.js';
import type { Reader } from '../../store/contract.js';

export const searchModes = ['embedding', 'text', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** A text that answers a query. */
export interface FoundText {
  readonly node: Node;
  /** Null: the text is the node's name or summary. */
  readonly ordinal: number | null;
  readonly text: string;
  readonly score: number;
  /** The perspective it was found in; null where none was asked. */
  readonly perspective: string | null;
}

/** What was found, best first; `degraded` says why it was found in another way than asked. */
export interface Found {
  readonly hits: readonly FoundText[];
  readonly nextCursor?: string | undefined;
  readonly degraded?: string | undefined;
}

export interface FindRequest {
  readonly mode: SearchMode;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Only this node and its observations. */
  readonly node?: NodeId;
  /** Only the best text of each node. */
  readonly perNode?: boolean;
}

export interface SimilarNodes {
  readonly pairs: readonly SimilarPair[];
  readonly degraded?: string | undefined;
}

/** How this surface searches: what it needs of `search/`, on a graph that is open. */
export interface WorkspaceSearch {
  find(reader: Reader, query: string, request: FindRequest): Promise<Found>;
  /** Pairs of nodes that say similar things and that no edge connects, the most similar first. */
  similar(
    reader: Reader,
    request: { readonly limit: number; readonly minScore: number },
  ): Promise<SimilarNodes>;
  /** The part of the observations that can be found by meaning. */
  coverage(reader: Reader): Promise<number>;
}

/** How an answer says that it was found in another way than asked. */
export function degradation(reason: string | undefined): { degraded?: boolean; warnings?: string[] } {
  return reason === undefined ? {} : { degraded: true, warnings: [reason] };
}
