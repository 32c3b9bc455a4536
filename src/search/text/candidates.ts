import type { Node, NodeId } from '../../model/node.js';
import type { TextLookupOptions } from '../../store/read-requests.js';
import type { ObservationText, WordStatistics } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { nodeText } from '../../store/text/node-text.js';
import type { QueryWords } from './query-words.js';

/** Enough that only texts with nothing but common words of the query are left out. */
const maxCandidates = 1_500;
/** With this many texts that have a rare word, texts with only common words are not needed. */
const enough = 500;

export type SearchScope = Pick<TextLookupOptions, 'types' | 'node'>;

export interface Candidates {
  readonly observations: readonly ObservationText[];
  /** Nodes with words of the query in their own text. */
  readonly nodes: readonly Node[];
  /** Stems all of whose texts are included. */
  readonly complete: ReadonlySet<string>;
  /** Whether there may be more texts with a word of the query. */
  readonly cut: boolean;
}

/** Texts with the rarest words first. */
export async function findCandidates(
  reader: Reader,
  words: QueryWords,
  { texts }: WordStatistics,
  within: SearchScope,
): Promise<Candidates> {
  const frequency = (stem: string) => texts.get(stem) ?? 0;
  // Includes stems that no text seems to have: recent writes may not be counted yet.
  const stems = [...words.stems].sort((a, b) => frequency(a) - frequency(b));
  let room = maxCandidates;
  const complete = new Set<string>();
  for (const stem of stems) {
    if (frequency(stem) > room) break;
    room -= frequency(stem);
    complete.add(stem);
  }
  const common = stems.slice(complete.size);
  const whole = common.length > 0 ? await textsOfNode(reader, words, within) : undefined;
  if (whole !== undefined) return { ...whole, complete: new Set(stems), cut: false };

  const observations = new Map<string, ObservationText>();
  const nodes = new Map<NodeId, Node>();
  /** Returns whether there are more. */
  const add = async (wanted: readonly string[], match: 'all' | 'any', limit: number): Promise<boolean> => {
    const query = { ...within, match, limit: limit + 1 };
    const [found, named] = await Promise.all([
      reader.observationsWithWords(wanted, query),
      reader.nodesWithWords(wanted, query),
    ]);
    for (const observation of found)
      observations.set(`${observation.node}/${observation.ordinal}`, observation);
    for (const node of named) nodes.set(node.id, node);
    return found.length > limit || named.length > limit;
  };
  let cut = complete.size > 0 && (await add([...complete], 'any', maxCandidates));
  let missed = common;
  for (const together of rarestSubsets(common)) {
    if (observations.size >= enough) break;
    const more = await add(together, 'all', maxCandidates - observations.size);
    if (together.length === 1 && !more) missed = common.slice(1);
  }
  cut ||= missed.length > 0;
  return { observations: [...observations.values()], nodes: [...nodes.values()], complete, cut };
}

/** All texts of the node with a word of the query, unless there are too many. */
async function textsOfNode(
  reader: Reader,
  words: QueryWords,
  { node, types }: SearchScope,
): Promise<Pick<Candidates, 'observations' | 'nodes'> | undefined> {
  if (node === undefined || types !== undefined) return undefined;
  const identities = await reader.identitiesOf([node]);
  if (identities.some(({ nextOrdinal }) => nextOrdinal - 1 > maxCandidates)) return undefined;
  const [observations, nodes] = await Promise.all([reader.textsOf([node]), reader.nodesById([node])]);
  return {
    observations: observations.filter(({ text }) => words.occurIn(text)),
    nodes: nodes.filter((own) => words.occurIn(nodeText(own))),
  };
}

/**
 * Of texts with common words, those with many matter most: first all stems, then the rarer half, down to the rarest.
 */
function rarestSubsets(stems: readonly string[]): (readonly string[])[] {
  const steps: (readonly string[])[] = [];
  for (let count = stems.length; count > 0; count = Math.floor(count / 2)) steps.push(stems.slice(0, count));
  return steps;
}
