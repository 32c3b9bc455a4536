import type { Node, NodeId } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import { decodeRankCursor, rankedPage } from './rank-cursor.js';
import type { RankedText, RankedTexts } from './text/rank-texts.js';

export interface SearchRequest {
  /** Default: 10. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Only this node and its observations. */
  readonly node?: NodeId | undefined;
  /** Only nodes of these types and their observations. */
  readonly types?: readonly string[] | undefined;
  /** Only the best text of each node. */
  readonly perNode?: boolean | undefined;
}

export interface ObservationHit {
  readonly node: Node;
  /** Null if the text is the node's name or summary. */
  readonly ordinal: number | null;
  readonly text: string;
  readonly score: number;
}

/** Best first. */
export interface SearchHits<T extends ObservationHit = ObservationHit> {
  readonly hits: readonly T[];
  readonly nextCursor?: string;
  /** On the last page: what may be missing, and why. */
  readonly missing?: string;
}

const defaultLimit = 10;

/** How many ranked texts the requested page needs. */
export function pageEnd(request: SearchRequest): number {
  const { limit = defaultLimit, cursor } = request;
  return decodeRankCursor(listOf(request), cursor) + limit;
}

function listOf({ perNode }: SearchRequest): string {
  return perNode ? 'search_nodes' : 'query_observations';
}

export async function hitsPage<T extends RankedText>(
  reader: Reader,
  { ranked, nodes: known, missing }: RankedTexts<T>,
  request: SearchRequest,
): Promise<SearchHits<Omit<T, 'node'> & { readonly node: Node }>> {
  const { limit = defaultLimit, cursor, perNode } = request;
  const listed = perNode ? bestOfEachNode(ranked) : ranked;
  const { page, ...next } = rankedPage(listOf(request), listed, limit, cursor);
  const unknown = [...new Set(page.map(({ node }) => node))].filter((id) => !known.has(id));
  const others = new Map((await reader.nodesById(unknown)).map((node) => [node.id, node]));
  const hits = page.flatMap((hit) => {
    const node = known.get(hit.node) ?? others.get(hit.node);
    return node === undefined ? [] : [{ ...hit, node }];
  });
  const last = next.nextCursor === undefined;
  return { hits, ...next, ...(last && missing !== undefined ? { missing } : {}) };
}

function bestOfEachNode<T extends RankedText>(ranked: readonly T[]): T[] {
  const seen = new Set<NodeId>();
  return ranked.filter(({ node }) => !seen.has(node) && seen.add(node));
}
