import type { EdgeIdentity } from '../model/edge.js';
import type { Props } from '../model/json.js';
import type { Node, NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';
import type { Provenance } from '../model/provenance.js';
import type { ValueType } from '../model/value-type.js';
import type { StagedNodes } from './staged-nodes.js';

export interface IdentityDraft {
  readonly type: string;
  readonly name: string;
  /** Default: a new node. */
  readonly node?: NodeId;
  /** How many observations this write will give the node: saying so saves counting again. */
  readonly observations?: number;
}

interface RowDraft {
  readonly props?: Props;
  readonly provenance?: Provenance | null;
  /** Default: at the end. A new version passes the order of the old one, to keep its place. */
  readonly order?: Order;
  /** The position in this commit if it is known from elsewhere; only without `order`. */
  readonly position?: number;
  readonly createdAt?: number;
}

export interface NodeDraft extends RowDraft {
  readonly id: NodeId;
  readonly type: string;
  readonly name: string;
  readonly stub?: boolean;
  readonly summary?: string | null;
  readonly summaryUpdatedAt?: number | null;
  readonly tags?: readonly string[];
}

/** What a caller who puts or removes rows has read before: it need not be read again. */
export interface KnownRows {
  /** What the branch shows of a node that is put or removed; undefined if nothing. */
  current(id: NodeId): Node | undefined;
  /** How many observations the branch shows of a node that is removed. */
  observationCount(id: NodeId): number;
  /** Any stored version of a node: what it can be found by is recorded. */
  stored(id: NodeId): Node | undefined;
  /** Whether the branch shows what an observation that is put replaces. */
  hasObservation(place: Pick<ObservationDraft, 'node' | 'ordinal'>): boolean;
  /** Whether the branch shows an edge that is put. */
  hasEdge(edge: EdgeIdentity): boolean;
  /** The type of a node at an end of an edge that is put; undefined if it has to be read. */
  typeOfEnd(id: NodeId): string | undefined;
  /** What the store has worked out of the same drafts; it is used if it still fits. */
  readonly staged?: StagedNodes | undefined;
}

export interface ObservationDraft {
  readonly node: NodeId;
  readonly text: string;
  /** Replaces the text at this ordinal, or restores one; default: the next free ordinal. */
  readonly ordinal?: number;
  readonly provenance?: Provenance | null;
  readonly createdAt?: number;
}

export interface EdgeDraft extends EdgeIdentity, RowDraft {
  readonly fromName: string;
  readonly toName: string;
  readonly weight?: number;
}

/** Lists and vectors have no order, and are ignored. */
export interface PropertyToIndex {
  readonly type: string;
  readonly property: string;
  readonly valueType: ValueType;
}
