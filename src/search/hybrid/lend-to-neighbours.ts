import type { NodeId } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import type { RankedText } from '../text/rank-texts.js';

/** How many of the best nodes lend. */
const lenders = 10;
/** What a node lends, as a share of the score of its best text; its neighbours divide it. */
const lentShare = 0.03;
/** Best nodes with more relations than this are connected to nearly everything, so these say nothing. */
const maxLinks = 1_000;

/**
 * Adds to the texts of nodes that are one relation away from the best ones, and sorts again: what is asked for is often
 * said in a node beside the one that the question names. Finds no other texts, and reads once.
 */
export async function lendToNeighbours<T extends RankedText>(
  reader: Reader,
  ranked: readonly T[],
): Promise<readonly T[]> {
  const best = bestOfEachNode(ranked);
  if (best.size < 2) return ranked;
  const lending = [...best.keys()].slice(0, lenders);
  const links = await reader.linksOf(lending, { limit: maxLinks });
  if (links.length === 0 || links.length >= maxLinks) return ranked;
  const neighbours = new Map(lending.map((node) => [node, new Set<NodeId>()]));
  for (const { from, to } of links) {
    if (from === to) continue;
    neighbours.get(from)?.add(to);
    neighbours.get(to)?.add(from);
  }
  const lent = new Map<NodeId, number>();
  for (const [node, others] of neighbours) {
    const part = (lentShare * (best.get(node) ?? 0)) / others.size;
    for (const other of others) lent.set(other, (lent.get(other) ?? 0) + part);
  }
  return ranked
    .map((text) => ({ ...text, score: text.score + (lent.get(text.node) ?? 0) }))
    .sort((a, b) => b.score - a.score);
}

/** The score of the best text of each node, best first. */
function bestOfEachNode(ranked: readonly RankedText[]): Map<NodeId, number> {
  const best = new Map<NodeId, number>();
  for (const { node, score } of ranked) if (!best.has(node)) best.set(node, score);
  return best;
}
