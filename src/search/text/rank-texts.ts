import { TimeSlice } from '../../bounds/time-slice.js';
import { groupEntries } from '../../model/group-entries.js';
import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import { Bm25, type CountedText } from '../../store/text/bm25.js';
import { nodeText } from '../../store/text/node-text.js';
import { findCandidates, type SearchScope } from './candidates.js';
import { containsQuestion, endsWithQuestion } from './dialogue.js';
import { loadContexts, type NodeContext } from './node-contexts.js';
import { noWordsMessage, type QueryWords, sumCounts } from './query-words.js';
import { nodeWeights, textWeights } from './word-weights.js';

export interface RankKey {
  readonly node: NodeId;
  /** Null for the node's own text, such as its name or summary. */
  readonly ordinal: number | null;
  readonly score: number;
}

export interface RankedText extends RankKey {
  readonly text: string;
}

/** Best first. */
export interface RankedTexts<T extends RankedText = RankedText> {
  readonly ranked: readonly T[];
  /** Those of their nodes that were read. */
  readonly nodes: ReadonlyMap<NodeId, Node>;
  /** What may be missing at the end of the list, and why. */
  readonly missing?: string;
}

export interface TextsByWords extends RankedTexts {
  /** What a text could score by itself if it had every word of the query. */
  readonly reach: number;
}

const tooCommonMessage = 'These words are too common to rank every match. Add a rarer word to find more.';

/** Measured with bench/retrieval.js; see docs/search.md. */
const textParameters = { saturation: 1.2, lengthWeight: 0.4, labelWeight: 2 };
const nodeParameters = { saturation: 1.2, lengthWeight: 0.75 };
/** What adjacent observations add, by distance. */
const neighbourShares = [0.3, 0.15];
/** What a question adds to the text after it. */
const answerShare = 0.5;
/** What a text loses that ends with a question. */
const questionLoss = 0.2;
/** Nodes read whole; those further down keep the score of their matching texts. */
const maxContexts = 50;

/** Texts with a word of the query, or next to one, each ranked in its context. */
export async function rankTexts(
  reader: Reader,
  words: QueryWords,
  within: SearchScope = {},
): Promise<TextsByWords> {
  if (words.stems.length === 0) return { ranked: [], nodes: new Map(), reach: 0, missing: noWordsMessage };
  const slice = new TimeSlice();
  const statistics = await reader.wordStatistics(words.stems);
  const candidates = await findCandidates(reader, words, statistics, within);
  if (slice.isOver) await slice.yieldToOthers();
  const counted = candidates.observations.map((observation) => ({
    observation,
    count: words.count(observation.text),
  }));
  const averageText = average(counted.map(({ count }) => count.length));
  const texts = new Bm25(textWeights(words.stems, statistics), averageText, textParameters);
  const byNode = groupEntries([
    ...counted.map(({ observation, count }) => [observation.node, count] as const),
    ...candidates.nodes.map((node) => [node.id, words.count(nodeText(node))] as const),
  ]);
  const weights = nodeWeights(words.stems, statistics, candidates.complete, byNode, within);
  const rough = roughScores(byNode, texts, new Bm25(weights, 1, { ...nodeParameters, lengthWeight: 0 }));

  const best = [...rough]
    .sort(([a, x], [b, y]) => roughTotal(y) - roughTotal(x) || a - b)
    .slice(0, maxContexts);
  const loaded = await loadContexts(
    reader,
    best.map(([node]) => node),
    candidates.observations,
  );
  if (slice.isOver) await slice.yieldToOthers();
  const inWords = loaded.map((context) => countedContext(words, context, averageText));
  const nodeScores = new Bm25(weights, average(inWords.map(({ whole }) => whole.length)), nodeParameters);
  const ranked = inWords.flatMap((context) =>
    scoreInContext(words, context, texts, nodeScores.score(context.whole)),
  );
  const read = new Set(loaded.map(({ node }) => node.id));
  const alone = (node: NodeId, count: CountedText) => texts.score(count) + (rough.get(node)?.whole ?? 0);
  for (const { observation, count } of counted) {
    if (!read.has(observation.node)) ranked.push({ ...observation, score: alone(observation.node, count) });
  }
  for (const node of candidates.nodes) {
    if (read.has(node.id)) continue;
    const score = alone(node.id, words.count(nodeText(node)));
    ranked.push({ node: node.id, ordinal: null, text: matchedText(words, node), score });
  }
  const nodes = new Map(
    [...candidates.nodes, ...loaded.map(({ node }) => node)].map((node) => [node.id, node]),
  );
  return {
    ranked: ranked.sort(rankOrder(nodes)),
    nodes,
    reach: texts.reach,
    ...(candidates.cut ? { missing: tooCommonMessage } : {}),
  };
}

interface RoughScore {
  /** The best of its texts. */
  readonly best: number;
  /** Its candidates as one text. */
  readonly whole: number;
}

/**
 * One number per node, so that equal nodes compare as equal. Comparing the parts one by one could leave a rounding
 * error, and the order of the rows in the database would decide.
 */
function roughTotal({ best, whole }: RoughScore): number {
  return whole + best;
}

/** From the matching texts alone, whatever the node's length. */
function roughScores(
  byNode: ReadonlyMap<NodeId, readonly CountedText[]>,
  texts: Bm25,
  wholes: Bm25,
): Map<NodeId, RoughScore> {
  const score = (counts: readonly CountedText[]): RoughScore => ({
    best: Math.max(...counts.map((count) => texts.score(count))),
    whole: wholes.score(sumCounts(counts)),
  });
  return new Map([...byNode].map(([node, counts]) => [node, score(counts)]));
}

interface CountedContext extends NodeContext {
  /** The node's own text. */
  readonly own: CountedText;
  /** One per observation. */
  readonly counts: readonly CountedText[];
  /** All of it as one text; the length is an estimate if the node was not read whole. */
  readonly whole: CountedText;
}

function countedContext(words: QueryWords, context: NodeContext, averageText: number): CountedContext {
  const { node, observations, size } = context;
  const own = words.count(nodeText(node));
  const counts = observations.map(({ text }) => words.count(text));
  const all = sumCounts([own, ...counts]);
  const estimated = size > observations.length ? own.length + size * averageText : 0;
  return { ...context, own, counts, whole: { ...all, length: Math.max(all.length, estimated) } };
}

/** Texts that match, or are next to one that does. */
function scoreInContext(
  words: QueryWords,
  context: CountedContext,
  texts: Bm25,
  whole: number,
): RankedText[] {
  const { node, observations, counts } = context;
  const own = counts.map((count) => texts.score(count));
  const found: RankedText[] = [];
  for (const [index, { ordinal, text }] of observations.entries()) {
    let score = (own[index] ?? 0) * (endsWithQuestion(text) ? 1 - questionLoss : 1);
    if (containsQuestion(observations[index - 1]?.text ?? '')) score += answerShare * (own[index - 1] ?? 0);
    for (const [distance, share] of neighbourShares.entries()) {
      score += share * ((own[index - distance - 1] ?? 0) + (own[index + distance + 1] ?? 0));
    }
    if (score > 0) found.push({ node: node.id, ordinal, text, score: score + whole });
  }
  const score = texts.score(context.own);
  if (score > 0)
    found.push({ node: node.id, ordinal: null, text: matchedText(words, node), score: score + whole });
  return found;
}

/** The summary, if it has more of the query than the name. */
function matchedText(words: QueryWords, { name, summary }: Node): string {
  const matches = (text: string) => words.count(text).times.filter((times) => times > 0).length;
  return summary !== null && matches(summary) > matches(name) ? summary : name;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
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
