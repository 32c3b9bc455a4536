import type { Props } from './json.js';
import type { Order } from './order.js';
import type { Provenance } from './provenance.js';

/** Internal, the same on every branch, never reused. */
export type NodeId = number;

/** As one branch sees it at one commit. */
export interface Node {
  readonly id: NodeId;
  readonly type: string;
  readonly name: string;
  /** A stub exists only because an edge names it; the string surfaces never list it. */
  readonly stub: boolean;
  readonly summary: string | null;
  /** Milliseconds since 1970. */
  readonly summaryUpdatedAt: number | null;
  readonly tags: readonly string[];
  readonly props: Props;
  readonly provenance: Provenance | null;
  readonly createdAt: number;
  readonly order: Order;
}

/** A stub has no type. */
export const stubType = '';

/** A string fact on a node, identified by (node, ordinal); ordinals are never reused. */
export interface Observation {
  readonly node: NodeId;
  readonly ordinal: number;
  readonly text: string;
  readonly provenance: Provenance | null;
  readonly createdAt: number;
}
