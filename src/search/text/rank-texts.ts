import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import type { SearchScope } from './candidates.js';
import { ContextScorer } from './context-scorer.js';
import { type GatheredTexts, gatherTexts } from './gather-texts.js';
import { noWordsMessage, type QueryWords } from './query-words.js';
import { type RankingSettings, rankingSettings } from './ranking-settings.js';

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

/** Texts with a word of the query, or next to one, each ranked in its context. */
export async function rankTexts(
  reader: Reader,
  words: QueryWords,
  within: SearchScope = {},
): Promise<TextsByWords> {
  if (words.stems.length === 0) return { ranked: [], nodes: new Map(), reach: 0, missing: noWordsMessage };
  const gathered = await gatherTexts(reader, words, within);
  return {
    ranked: scoreGathered(gathered).sort(rankOrder(gathered.known)),
    nodes: gathered.known,
    reach: new ContextScorer(gathered.rarity, gathered.average).reach,
    ...(gathered.cut ? { missing: tooCommonMessage } : {}),
  };
}

/** In no order. */
export function scoreGathered(
  { rarity, average, nodes }: GatheredTexts,
  settings: RankingSettings = rankingSettings,
): RankedText[] {
  const scorer = new ContextScorer(rarity, average, settings);
  const found: RankedText[] = [];
  for (const { id, ownText, observations, counted } of nodes) {
    const scores = scorer.score(counted);
    if (scores.own > 0) found.push({ node: id, ordinal: null, text: ownText, score: scores.own });
    for (let index = 0; index < observations.length; index++) {
      const observation = observations[index];
      const score = scores.texts[index] ?? 0;
      if (observation === undefined || score <= 0) continue;
      found.push({ node: id, ordinal: observation.ordinal, text: observation.text, score });
    }
  }
  return found;
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
