import type { Edge } from '../model/edge.js';
import type { Props } from '../model/json.js';
import type { Node } from '../model/node.js';
import type { Provenance } from '../model/provenance.js';

export interface NodeSpec {
  readonly type: string;
  readonly name: string;
  readonly observations: readonly string[];
  /** Default: null. */
  readonly summary?: string | null;
  readonly tags?: readonly string[];
  readonly props?: Props;
  readonly provenance?: Provenance | null;
  /** The provenance of the observations that are added. */
  readonly origin?: Provenance | undefined;
}

/** The type is only needed where nodes of several types share the name. */
export interface NodeName {
  readonly name: string;
  readonly type?: string | undefined;
}

export function matchesName({ name, type }: NodeName, node: Pick<Node, 'name' | 'type'>): boolean {
  return node.name === name && isOfType(node, type);
}

export function isOfType(node: Pick<Node, 'type'>, type: string | undefined): boolean {
  return type === undefined || node.type === type;
}

/** Ends by name, and by type where nodes of several types share the name. */
export interface EdgeSpec {
  readonly from: string;
  readonly fromType?: string | undefined;
  readonly to: string;
  readonly toType?: string | undefined;
  readonly type: string;
  /** 0 to 1; default: 1. */
  readonly weight?: number | undefined;
  /** Distinguishes edges of one type between the same nodes. */
  readonly key?: string | undefined;
  readonly props?: Props;
}

export function edgeEnds({ from, fromType, to, toType }: EdgeSpec): { from: NodeName; to: NodeName } {
  return { from: { name: from, type: fromType }, to: { name: to, type: toType } };
}

/** The observations, then the properties as `key: value`. */
export interface NodeWithFacts {
  readonly node: Node;
  readonly facts: readonly string[];
}

export interface Subgraph {
  readonly nodes: readonly NodeWithFacts[];
  readonly edges: readonly Edge[];
  readonly nextCursor?: string;
}
