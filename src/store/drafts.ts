import type { EdgeIdentity } from '../model/edge.js';
import type { Props } from '../model/json.js';
import type { NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';
import type { Provenance } from '../model/provenance.js';
import type { ValueType } from '../model/value-type.js';

export interface IdentityDraft {
  readonly type: string;
  readonly name: string;
  /** Left out, the pair gets a new node. */
  readonly node?: NodeId;
  /** How many observations this write is about to give the node: saying so saves counting again. */
  readonly observations?: number;
}

export interface NodeDraft {
  readonly id: NodeId;
  readonly type: string;
  readonly name: string;
  readonly stub?: boolean;
  readonly summary?: string | null;
  readonly summaryUpdatedAt?: number | null;
  readonly tags?: readonly string[];
  readonly props?: Props;
  readonly provenance?: Provenance | null;
  /** Given when a new version of a node keeps its place; left out, the node goes to the end. */
  readonly order?: Order;
  /** Its place among what this commit makes, if that is known from elsewhere and there is no `order`. */
  readonly position?: number;
  readonly createdAt?: number;
}

export interface ObservationDraft {
  readonly node: NodeId;
  readonly text: string;
  /** Given to replace the text at an ordinal, or to bring one back; left out, the next free one is taken. */
  readonly ordinal?: number;
  readonly provenance?: Provenance | null;
  readonly createdAt?: number;
}

export interface EdgeDraft extends EdgeIdentity {
  readonly fromName: string;
  readonly toName: string;
  readonly weight?: number;
  readonly props?: Props;
  readonly provenance?: Provenance | null;
  readonly order?: Order;
  /** As in `NodeDraft`. */
  readonly position?: number;
  readonly createdAt?: number;
}

/** A property of the nodes of a type; lists and vectors have no order, and are passed over. */
export interface PropertyToIndex {
  readonly type: string;
  readonly property: string;
  readonly valueType: ValueType;
}
