import type { Props } from './json.js';
import type { Order } from './order.js';
import type { Provenance } from './provenance.js';

/** The internal id of a node: the same on every branch, never reused. People see its name instead. */
export type NodeId = number;

/** A thing the graph knows about, as one branch sees it at one commit. */
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

/** A string fact on a node. (node, ordinal) is its identity; ordinals are never reused. */
export interface Observation {
  readonly node: NodeId;
  readonly ordinal: number;
  readonly text: string;
  readonly provenance: Provenance | null;
  readonly createdAt: number;
}
