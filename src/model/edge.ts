import type { Props } from './json.js';
import type { NodeId } from './node.js';
import type { Order } from './order.js';
import type { Provenance } from './provenance.js';

/** (from, type, to, key) identifies an edge; direction matters. */
export interface EdgeIdentity {
  readonly from: NodeId;
  readonly type: string;
  readonly to: NodeId;
  /** Distinguishes parallel edges of one type; empty unless the schema defines a key. */
  readonly key: string;
}

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

/** One string per identity, for maps and sets; the length separates type and key. */
export function edgeKey({ from, to, type, key }: EdgeIdentity): string {
  return `${from} ${to} ${type.length} ${type}${key}`;
}

/** The identity that a key was made of. */
export function edgeFromKey(text: string): EdgeIdentity {
  const [to, length] = [text.indexOf(' ') + 1, text.indexOf(' ', text.indexOf(' ') + 1) + 1];
  const type = text.indexOf(' ', length) + 1;
  const key = type + Number(text.slice(length, type - 1));
  return {
    ...{ from: Number(text.slice(0, to - 1)), to: Number(text.slice(to, length - 1)) },
    ...{ type: text.slice(type, key), key: text.slice(key) },
  };
}
