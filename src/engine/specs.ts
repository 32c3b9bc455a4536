import type { Edge } from '../model/edge.js';
import type { Node } from '../model/node.js';

/** A node as a caller describes it. */
export interface NodeSpec {
  readonly type: string;
  readonly name: string;
  readonly observations: readonly string[];
  /** Left out or null: none. */
  readonly summary?: string | null;
  readonly tags?: readonly string[];
}

/** An edge as a caller describes it: ends by name. */
export interface EdgeSpec {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** 0 to 1; left out, 1. */
  readonly weight?: number;
  /** Tells edges of one type between the same nodes apart; left out, there is one. */
  readonly key?: string;
}

/** A node with its facts as strings: the observations, then the properties as `key: value`. */
export interface NodeWithFacts {
  readonly node: Node;
  readonly facts: readonly string[];
}

/** Some nodes and the edges that touch them. */
export interface Subgraph {
  readonly nodes: readonly NodeWithFacts[];
  readonly edges: readonly Edge[];
  /** Where the next page starts; absent on the last. */
  readonly nextCursor?: string;
}
