import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';

/** What decides where a text stands among others. */
export interface RankKey {
  readonly node: NodeId;
  /** Null: the node's own text. */
  readonly ordinal: number | null;
  readonly score: number;
}

/**
 * Best first; among equals the node that was made first, and its own text before its observations. When a node was made is
 * known of those at hand; reading the others for the sake of a tie would cost too much, so they come after, by their ids.
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
