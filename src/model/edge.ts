import type { Props } from './json.js';
import type { NodeId } from './node.js';
import type { Order } from './order.js';
import type { Provenance } from './provenance.js';

/** (from, type, to, key) is what makes an edge that edge; direction matters. */
export interface EdgeIdentity {
  readonly from: NodeId;
  readonly type: string;
  readonly to: NodeId;
  /** Tells parallel edges of one type apart; empty unless a schema gives edges a key. */
  readonly key: string;
}

/** A typed, directed, weighted connection, as one branch sees it at one commit. */
export interface Edge extends EdgeIdentity {
  readonly fromName: string;
  readonly toName: string;
  /** 0 to 1. */
  readonly weight: number;
  readonly props: Props;
  readonly provenance: Provenance | null;
  readonly createdAt: number;
  readonly order: Order;
}

export const defaultWeight = 1;

/** One string per edge identity, for maps and sets; the length keeps type and key apart. */
export function edgeKey({ from, to, type, key }: EdgeIdentity): string {
  return `${from} ${to} ${type.length} ${type}${key}`;
}
