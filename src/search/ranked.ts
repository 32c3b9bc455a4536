import { withFacts } from '../engine/read/facts.js';
import { cutPage, type PageRequest } from '../engine/read/page.js';
import type { NodeWithFacts, Subgraph } from '../engine/specs.js';
import { TrellisError } from '../model/error.js';
import { limits } from '../model/limits.js';
import { compareOrder } from '../model/order.js';
import { checkText } from '../model/text.js';
import type { Reader } from '../store/contract.js';
import { stems } from '../store/text/words.js';
import { bm25, type RankedText } from './bm25.js';

/** A word that more nodes than this bear says little about any of them; the oldest are then enough. */
const nodesPerWord = 500;
const defaultLimit = 50;
/** A longer query is a text, not a question: its first words say what it is about. */
const mostWords = 64;

/** Nodes with any word of the query, best first: words are stemmed, rare ones weigh more, long nodes less. */
export async function searchRanked(
  reader: Reader,
  query: string,
  request: PageRequest = {},
): Promise<Subgraph> {
  checkText(query, 'The query', limits.queryLength);
  const words = [...new Set(stems(query))].slice(0, mostWords);
  const offset = request.cursor === undefined ? 0 : decodeOffset(request.cursor);
  const ranked = words.length === 0 ? [] : await rank(reader, words, request.types);
  const limit = request.limit ?? defaultLimit;
  const { page, more } = cutPage(ranked.slice(offset, offset + limit + 1), limit);
  return {
    nodes: page,
    edges: await reader.edgesOf(page.map(({ node }) => node.id)),
    ...(more ? { nextCursor: encodeOffset(offset + limit) } : {}),
  };
}

async function rank(
  reader: Reader,
  words: readonly string[],
  types: PageRequest['types'],
): Promise<NodeWithFacts[]> {
  const hits = await reader.nodesWithWords(words, nodesPerWord, types);
  const ids = new Set(hits.flatMap((hit) => hit.nodes));
  const candidates = await withFacts(reader, await reader.nodesById([...ids]));
  const texts: RankedText[] = candidates.map(({ node, facts }) => ({
    words: stems([node.name, node.type, node.summary ?? '', ...facts].join('\n')),
  }));
  const { nodes: total } = await reader.counts();
  const frequency = new Map(hits.map((hit) => [hit.stem, hit.truncated ? total : hit.nodes.length]));
  const scores = bm25(words, texts, { total, frequency });
  return candidates
    .map((candidate, index) => ({ candidate, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score || compareOrder(a.candidate.node.order, b.candidate.node.order))
    .map(({ candidate }) => candidate);
}

function encodeOffset(offset: number): string {
  return Buffer.from(`rank ${offset}`).toString('base64url');
}

function decodeOffset(cursor: string): number {
  const match = /^rank (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) {
    throw new TrellisError('INVALID_ARGUMENT', 'The cursor is not one that a ranked search gave out.', {
      hint: 'Pass the nextCursor of the previous answer unchanged, with the same query and mode.',
    });
  }
  return Number(match[1]);
}
