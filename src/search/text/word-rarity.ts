import type { NodeId } from '../../model/node.js';
import type { WordStatistics } from '../../store/read-results.js';
import { type CountedText, inverseDocumentFrequency } from '../../store/text/bm25.js';
import { stems } from '../../store/text/words.js';
import type { SearchScope } from './candidates.js';

/** Of the stems of a query in a graph. */
export interface WordRarity {
  /** For each stem, by how few texts have it. */
  readonly inTexts: readonly number[];
  /** For each stem, by how few nodes have it. */
  readonly inNodes: readonly number[];
  readonly isFunctionWord: readonly boolean[];
}

export function wordRarity(
  stems: readonly string[],
  statistics: WordStatistics,
  complete: ReadonlySet<string>,
  candidates: ReadonlyMap<NodeId, readonly CountedText[]>,
  within: SearchScope,
): WordRarity {
  const { texts, observations, nodes } = statistics;
  const isLimited = within.types !== undefined || within.node !== undefined;
  const isExact = (stem: string) => complete.has(stem) && !isLimited;
  return {
    inTexts: stems.map((stem, place) => {
      // The index also counts what this reader cannot see: other branches, and the gate's registry.
      const found = isExact(stem) ? textsWith(candidates, place) : 0;
      return inverseDocumentFrequency(found || (texts.get(stem) ?? 0), observations + nodes);
    }),
    inNodes: rarityInNodes(stems, statistics, isExact, candidates),
    isFunctionWord: stems.map(isFunctionWord),
  };
}

/**
 * The number of nodes with a stem is exact if all its texts are candidates; for a common stem it is estimated from the
 * number of texts, as if those were spread evenly.
 */
function rarityInNodes(
  stems: readonly string[],
  { texts, observations, nodes }: WordStatistics,
  isExact: (stem: string) => boolean,
  candidates: ReadonlyMap<NodeId, readonly CountedText[]>,
): number[] {
  const textsPerNode = 1 + observations / Math.max(1, nodes);
  return stems.map((stem, place) => {
    const share = Math.min(1, (texts.get(stem) ?? 0) / Math.max(1, observations + nodes));
    const spread = nodes * (1 - (1 - share) ** textsPerNode);
    const exact = isExact(stem) ? nodesWith(candidates, place) : 0;
    return inverseDocumentFrequency(exact || spread, nodes);
  });
}

function textsWith(candidates: ReadonlyMap<NodeId, readonly CountedText[]>, place: number): number {
  let found = 0;
  for (const texts of candidates.values())
    for (const { times } of texts) if ((times[place] ?? 0) > 0) found += 1;
  return found;
}

function nodesWith(candidates: ReadonlyMap<NodeId, readonly CountedText[]>, place: number): number {
  let found = 0;
  for (const texts of candidates.values()) if (texts.some(({ times }) => (times[place] ?? 0) > 0)) found += 1;
  return found;
}

/**
 * English words that say little by themselves. Rarity covers most of that, but questions consist of such words, and
 * other questions would look like answers to them. Names and dates spelled like one (May, Will, US) are left out.
 */
const listed = `
  a an the this that these those there here and or but if so than then too very just not no
  of to in on at by for with from as about into over under again out up down off
  i you he she it we they me him her them my your his its our their
  is are was were be been am do does did doing have has had having can could would shall should might must
  what which who whom whose when where why how
  s t d ll m re ve don didn doesn isn aren wasn weren won`;

const functionWords: ReadonlySet<string> = new Set(stems(listed));

export function isFunctionWord(stem: string): boolean {
  return functionWords.has(stem);
}
