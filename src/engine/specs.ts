import type { Edge } from '../model/edge.js';
import type { Props } from '../model/json.js';
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

/** A node by its name, and by its type where nodes of several types have that name. */
export interface NodeName {
  readonly name: string;
  readonly type?: string | undefined;
}

/** Whether a name may mean a node. */
export function matchesName({ name, type }: NodeName, node: Pick<Node, 'name' | 'type'>): boolean {
  return node.name === name && isOfType(node, type);
}

export function isOfType(node: Pick<Node, 'type'>, type: string | undefined): boolean {
  return type === undefined || node.type === type;
}

/** An edge as a caller describes it: ends by name, and by type where nodes of several types have that name. */
export interface EdgeSpec {
  readonly from: string;
  readonly fromType?: string | undefined;
  readonly to: string;
  readonly toType?: string | undefined;
  readonly type: string;
  /** 0 to 1; left out, 1. */
  readonly weight?: number;
  /** Tells edges of one type between the same nodes apart; left out, there is one. */
  readonly key?: string;
  readonly props?: Props;
}

/** The ends of an edge. */
export function edgeEnds({ from, fromType, to, toType }: EdgeSpec): { from: NodeName; to: NodeName } {
  return { from: { name: from, type: fromType }, to: { name: to, type: toType } };
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
