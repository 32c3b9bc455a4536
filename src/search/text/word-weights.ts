import type { NodeId } from '../../model/node.js';
import type { WordStatistics } from '../../store/read-results.js';
import { type CountedText, inverseDocumentFrequency } from '../../store/text/bm25.js';
import type { SearchScope } from './candidates.js';
import { stopWordWeight } from './stop-words.js';

export function textWeights(
  stems: readonly string[],
  { texts, observations, nodes }: WordStatistics,
): number[] {
  return stems.map(
    (stem) => inverseDocumentFrequency(texts.get(stem) ?? 0, observations + nodes) * stopWordWeight(stem),
  );
}

/**
 * The weight of each stem in a node read as one text. The number of nodes with a stem is exact if all its texts are
 * candidates; for a common stem it is estimated from the number of texts, as if those were spread evenly.
 */
export function nodeWeights(
  stems: readonly string[],
  { texts, observations, nodes }: WordStatistics,
  complete: ReadonlySet<string>,
  candidates: ReadonlyMap<NodeId, readonly CountedText[]>,
  within: SearchScope,
): number[] {
  const textsPerNode = 1 + observations / Math.max(1, nodes);
  const limited = within.types !== undefined || within.node !== undefined;
  return stems.map((stem, place) => {
    const share = Math.min(1, (texts.get(stem) ?? 0) / Math.max(1, observations + nodes));
    const spread = nodes * (1 - (1 - share) ** textsPerNode);
    const exact = complete.has(stem) && !limited ? nodesWith(candidates, place) : 0;
    return inverseDocumentFrequency(exact || spread, nodes) * stopWordWeight(stem);
  });
}

function nodesWith(candidates: ReadonlyMap<NodeId, readonly CountedText[]>, place: number): number {
  let found = 0;
  for (const texts of candidates.values()) if (texts.some(({ times }) => (times[place] ?? 0) > 0)) found += 1;
  return found;
}
