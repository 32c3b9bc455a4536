import { decodeOffsetCursor, encodeOffsetCursor } from '../engine/read/cursors.js';
import { paginate } from '../engine/read/page.js';
import type { RedactableText } from '../model/error.js';
import { groupEntries } from '../model/group-entries.js';
import type { Node, NodeId } from '../model/node.js';
import type { Reader } from '../store/reader.js';
import type { RankedText, RankedTexts } from './text/rank-texts.js';

export interface SearchRequest {
  /** Default: 10. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** How many hits to skip, instead of a cursor. */
  readonly offset?: number | undefined;
  /** Only this node and its observations. */
  readonly node?: NodeId | undefined;
  /** Only nodes of these types and their observations. */
  readonly types?: readonly string[] | undefined;
  /** Only the best text of each node. */
  readonly perNode?: boolean | undefined;
  /** Whether a hit of `perNode` lists the other texts of its node. */
  readonly withOthers?: boolean | undefined;
  readonly reranking?: Reranking | undefined;
}

/** The order that a reranker gave to the best texts. */
export interface Reranking {
  readonly candidates: number;
  apply<T extends RankedText>(ranked: readonly T[]): readonly T[];
}

interface ObservationHit extends Omit<RankedText, 'node'> {
  readonly node: Node;
  /** Other texts of the node that were found, best first; only if requested. */
  readonly others?: readonly Pick<RankedText, 'ordinal' | 'text' | 'score'>[];
}

/** Best first. */
export interface SearchHits<T extends ObservationHit = ObservationHit> {
  readonly hits: readonly T[];
  readonly nextCursor?: string;
  /** On the last page: what may be missing, and why. */
  readonly missing?: string;
}

const defaultLimit = 10;
const cursorHint = 'Pass the nextCursor of the previous response unchanged, with the same query and mode.';

/** How many ranked texts the requested page needs. */
export function pageEnd(request: SearchRequest): number {
  return Math.max(startOf(request) + (request.limit ?? defaultLimit), request.reranking?.candidates ?? 0);
}

function startOf({ offset, ...request }: SearchRequest): number {
  return offset ?? decodeOffsetCursor(listOf(request), request.cursor, cursorHint);
}

function listOf({ perNode }: SearchRequest): string {
  return perNode ? 'search_nodes' : 'query_observations';
}

export async function hitsPage<T extends RankedText>(
  reader: Reader,
  { ranked, nodes: known, missing }: RankedTexts<T>,
  request: SearchRequest,
): Promise<SearchHits<Omit<T, 'node'> & Pick<ObservationHit, 'node' | 'others'>>> {
  const { limit = defaultLimit, perNode, withOthers, reranking } = request;
  const list = listOf(request);
  const offset = startOf(request);
  const best = perNode ? bestOfEachNode(ranked) : ranked;
  const listed = reranking === undefined ? best : reranking.apply(best);
  const { page, more } = paginate(listed.slice(offset, offset + limit + 1), limit);
  const unknown = [...new Set(page.map(({ node }) => node))].filter((id) => !known.has(id));
  const others = new Map((await reader.nodesById(unknown)).map((node) => [node.id, node]));
  const shown = new Set(page.map(({ node }) => node));
  const texts = groupEntries(
    withOthers ? ranked.filter(({ node }) => shown.has(node)).map((text) => [text.node, text]) : [],
  );
  const hits = page.flatMap((hit) => {
    const node = known.get(hit.node) ?? others.get(hit.node);
    if (node === undefined) return [];
    return [{ ...hit, node, ...(withOthers ? { others: texts.get(hit.node)?.slice(1) ?? [] } : {}) }];
  });
  if (more) return { hits, nextCursor: encodeOffsetCursor(list, offset + limit) };
  return { hits, ...(missing === undefined ? {} : { missing }) };
}

function bestOfEachNode<T extends RankedText>(ranked: readonly T[]): T[] {
  const seen = new Set<NodeId>();
  return ranked.filter(({ node }) => !seen.has(node) && seen.add(node));
}

/** The score is a cosine. */
interface SemanticHit extends ObservationHit {
  /** Null if it was found by its words. */
  readonly perspective: string | null;
}

export interface SemanticHits extends SearchHits<SemanticHit> {
  /** Why only text search was used. */
  readonly degraded?: RedactableText;
  /** How many observations cannot be found by meaning yet. */
  readonly waiting?: number;
  /** Only another process can embed them, since the store is read-only here. */
  readonly embeddedElsewhere?: true;
  /** Why the order is that of the search alone, although a reranker is configured. */
  readonly notReranked?: RedactableText;
}

/** Reads one state of the graph. */
export type PreparedSearch = (reader: Reader, request: SearchRequest) => Promise<SemanticHits>;
