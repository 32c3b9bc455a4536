import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';

export interface RankKey {
  readonly node: NodeId;
  /** Null for the node's own text. */
  readonly ordinal: number | null;
  readonly score: number;
}

/**
 * Best first; ties by creation order of the node, its own text before its observations. Nodes that were not read come
 * after, by id: reading them just to break a tie would cost too much.
 */
export function rankOrder(
  nodes: ReadonlyMap<NodeId, Pick<Node, 'order'>>,
): (a: RankKey, b: RankKey) => number {
  const inOrderMade = (a: NodeId, b: NodeId) => {
    const [first, second] = [nodes.get(a)?.order, nodes.get(b)?.order];
    if (first !== undefined && second !== undefined) return compareOrder(first, second) || a - b;
    if (first === undefined && second === undefined) return a - b;
    return first === undefined ? 1 : -1;
  };
  return (a, b) => b.score - a.score || inOrderMade(a.node, b.node) || (a.ordinal ?? 0) - (b.ordinal ?? 0);
}
