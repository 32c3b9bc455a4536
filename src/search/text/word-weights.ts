import type { WordStatistics } from '../../store/answers.js';
import { rarity } from '../../store/text/bm25.js';
import { nodeText } from '../../store/text/node-text.js';
import { stemmed } from '../../store/text/stemmed.js';
import type { Candidates, Within } from './candidates.js';
import { shareOf } from './function-words.js';

/** What each stem is worth in a single text. */
export function textWeights(
  stems: readonly string[],
  { texts, observations, nodes }: WordStatistics,
): number[] {
  return stems.map((stem) => rarity(texts.get(stem) ?? 0, observations + nodes) * shareOf(stem));
}

/**
 * What each stem is worth in a node read as one text. How many nodes have a stem is counted where all its texts are
 * among the candidates; of a common one it follows from how many texts have it, as if those were spread evenly.
 */
export function nodeWeights(
  stems: readonly string[],
  { texts, observations, nodes }: WordStatistics,
  candidates: Candidates,
  within: Within,
): number[] {
  const textsPerNode = 1 + observations / Math.max(1, nodes);
  const limited = within.types !== undefined || within.node !== undefined;
  const counted = limited ? new Map<string, number>() : nodesWithStem(candidates);
  return stems.map((stem) => {
    const share = Math.min(1, (texts.get(stem) ?? 0) / Math.max(1, observations + nodes));
    const spread = nodes * (1 - (1 - share) ** textsPerNode);
    const exact = candidates.complete.has(stem) ? counted.get(stem) : undefined;
    return rarity(exact ?? spread, nodes) * shareOf(stem);
  });
}

function nodesWithStem({ observations, nodes, complete }: Candidates): Map<string, number> {
  const found = new Map<string, Set<number>>();
  const note = (node: number, text: string) => {
    for (const stem of stemmed(text)) {
      if (!complete.has(stem)) continue;
      const known = found.get(stem);
      if (known === undefined) found.set(stem, new Set([node]));
      else known.add(node);
    }
  };
  for (const { node, text } of observations) note(node, text);
  for (const node of nodes) note(node.id, nodeText(node));
  return new Map([...found].map(([stem, ids]) => [stem, ids.size]));
}
