import { TimeSlice } from '../../bounds/time-slice.js';
import { groupEntries } from '../../model/group-entries.js';
import type { Node, NodeId } from '../../model/node.js';
import type { ObservationText } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { nodeText } from '../../store/text/node-text.js';
import { findCandidates, type SearchScope } from './candidates.js';
import { type AverageLengths, ContextScorer, type CountedNode } from './context-scorer.js';
import { loadContexts, type NodeContext } from './node-contexts.js';
import { type CountedWords, type QueryWords, sumCounts } from './query-words.js';
import { type WordRarity, wordRarity } from './word-rarity.js';

/** All that ranking needs, whatever the settings. */
export interface GatheredTexts {
  readonly rarity: WordRarity;
  readonly average: AverageLengths;
  readonly nodes: readonly GatheredNode[];
  /** Those of the nodes that were read. */
  readonly known: ReadonlyMap<NodeId, Node>;
  /** Whether there may be more texts with a word of the query. */
  readonly cut: boolean;
}

export interface GatheredNode {
  readonly id: NodeId;
  /** Its name or its summary, whichever has more of the query. */
  readonly ownText: string;
  readonly observations: readonly ObservationText[];
  /** Its texts are the observations. */
  readonly counted: CountedNode;
}

/** Nodes read whole; those further down keep the score of their matching texts. */
const maxContexts = 50;

/** Texts with a word of the query, those of the best nodes in their context. */
export async function gatherTexts(
  reader: Reader,
  words: QueryWords,
  within: SearchScope,
): Promise<GatheredTexts> {
  const slice = new TimeSlice();
  const statistics = await reader.wordStatistics(words.stems);
  const candidates = await findCandidates(reader, words, statistics, within);
  if (slice.isOver) await slice.yieldToOthers();
  const counts = new Map(
    candidates.observations.map((observation) => [observation, words.count(observation.text)]),
  );
  const text = average([...counts.values()].map(({ length }) => length));
  const matching = matchingNodes(words, candidates.nodes, counts, {
    text,
    node: (text * statistics.observations) / Math.max(1, statistics.nodes),
  });
  const byNode = new Map(matching.map(({ id, counted }) => [id, [...counted.texts, counted.own]] as const));
  const rarity = wordRarity(words.stems, statistics, candidates.complete, byNode, within);
  const lengths = { text, node: average(matching.map(({ counted }) => counted.length)) };
  const best = bestNodes(matching, new ContextScorer(rarity, lengths));
  const loaded = await loadContexts(reader, best, candidates.observations);
  if (slice.isOver) await slice.yieldToOthers();
  const inContext = loaded.map((context) => countedContext(words, context, text));
  const read = new Set(loaded.map(({ node }) => node.id));
  return {
    rarity,
    average: lengths,
    nodes: [...inContext, ...matching.filter(({ id }) => !read.has(id))],
    known: new Map([...candidates.nodes, ...loaded.map(({ node }) => node)].map((node) => [node.id, node])),
    cut: candidates.cut,
  };
}

/** Each with its candidates alone, and as long as an average node unless these are longer. */
function matchingNodes(
  words: QueryWords,
  nodes: readonly Node[],
  counts: ReadonlyMap<ObservationText, CountedWords>,
  usual: AverageLengths,
): GatheredNode[] {
  const observations = groupEntries([...counts].map((counted) => [counted[0].node, counted]));
  const named = new Map(nodes.map((node) => [node.id, node]));
  return [...new Set([...observations.keys(), ...named.keys()])].map((id) => {
    const node = named.get(id);
    const found = observations.get(id) ?? [];
    const own = words.count(node === undefined ? '' : nodeText(node));
    const texts = found.map(([, counted]) => counted);
    const { times, length } = sumCounts([own, ...texts]);
    const others = Math.max(0, usual.node - texts.length * usual.text);
    const ownText = node === undefined ? '' : matchedText(words, node);
    const counted = { own, texts, inOrder: false, times, length: length + others };
    return { id, ownText, observations: found.map(([observation]) => observation), counted };
  });
}

/**
 * One number per node, so that equal nodes compare as equal. Comparing the parts one by one could leave a rounding
 * error, and the order of the rows in the database would decide.
 */
function bestNodes(matching: readonly GatheredNode[], scorer: ContextScorer): NodeId[] {
  return matching
    .map(({ id, counted }) => {
      const { own, texts } = scorer.score(counted);
      return { id, score: Math.max(own, ...texts) };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, maxContexts)
    .map(({ id }) => id);
}

function countedContext(
  words: QueryWords,
  { node, observations, size }: NodeContext,
  averageText: number,
): GatheredNode {
  const own = words.count(nodeText(node));
  const texts = observations.map(({ text }) => words.count(text));
  const { times, length } = sumCounts([own, ...texts]);
  const estimated = size > observations.length ? own.length + size * averageText : 0;
  const counted = { own, texts, inOrder: true, times, length: Math.max(length, estimated) };
  return { id: node.id, ownText: matchedText(words, node), observations, counted };
}

function matchedText(words: QueryWords, { name, summary }: Node): string {
  const matches = (text: string) => words.count(text).times.filter((times) => times > 0).length;
  return summary !== null && matches(summary) > matches(name) ? summary : name;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
