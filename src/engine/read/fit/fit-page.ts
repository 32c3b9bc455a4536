import type { Edge } from '../../../model/edge.js';
import { limits } from '../../../model/limits.js';
import type { Node } from '../../../model/node.js';
import type { Reader } from '../../../store/reader.js';
import type { NumberedFact } from '../open-nodes-with-ordinals.js';
import type { PageRequest } from '../page.js';
import { elementsFrom, type MatchGroup, type ShownParts } from './page-elements.js';
import { type PageBudget, type TruncatedNode, takePiece } from './page-piece.js';
import {
  decodeResumeCursor,
  encodeResumeCursor,
  type PagePosition,
  type ResumeCursor,
  toPagePosition,
} from './page-position.js';

export interface SubgraphPage<N> {
  /** The matches, then their neighbours. */
  readonly nodes: readonly N[];
  /** How many of the nodes are matches. */
  readonly matches: number;
  readonly edges: readonly Edge[];
  readonly nextCursor?: string;
}

/** A page that fits into one response. */
export interface FittedPage<N> extends SubgraphPage<N> {
  /** Says where the response was cut, if it was. */
  readonly warnings: readonly string[];
}

/** A paged list of nodes, as one tool shows it. */
export interface NodePageSource<N extends { readonly node: Node }> {
  /** Marks its cursors, so that no other list accepts them. */
  readonly name: string;
  readonly shown: ShownParts;
  read(page: Pick<PageRequest, 'limit' | 'cursor'>): Promise<SubgraphPage<N>>;
  /** A node with only some of its texts; `node` has the truncated summary and tags. */
  truncate(whole: N, node: Node, facts: readonly NumberedFact[]): N;
  /** The characters of a response with this page; for one that is too long, a lower bound. */
  length(page: SubgraphPage<N>): number | Promise<number>;
  /** A first guess of how many nodes fit; undefined if all may. */
  readonly estimateLimit?: (() => Promise<number | undefined>) | undefined;
}

export interface FitRequest extends Pick<PageRequest, 'limit' | 'cursor'> {
  /** Neighbours in one response; left out, unlimited. */
  readonly neighbours?: number | undefined;
  /** Default: the largest response. */
  readonly maxLength?: number | undefined;
}

/** The first attempt where more is requested: reading what does not fit is wasted. */
const initialLimit = 1_000;

/** A truncated page with less in it is read again with more nodes. */
const halfFull = 0.4;

const start = toPagePosition({ neighbour: undefined, part: 'head' });

/** The share of a truncated response that is kept free for its cursor and warning. */
const reserved = 1 / 64;

/**
 * The requested page, or as much of it as fits into one response. A page of several nodes gets fewer nodes; a single
 * node that is too long is split between its facts, or within a text that is too long by itself. Following `nextCursor`
 * returns every fact of every match exactly once.
 */
export async function fitPage<N extends { readonly node: Node }>(
  reader: Reader,
  list: NodePageSource<N>,
  { limit, cursor: given, neighbours, maxLength = limits.answerLength }: FitRequest,
): Promise<FittedPage<N>> {
  const room = { length: Math.floor(maxLength * (1 - reserved)), neighbours };
  const place = decodeResumeCursor(list.name, given);
  const resumed = place === undefined ? undefined : await resume(reader, list, place, room);
  if (resumed !== undefined) return resumed;
  const cursor = place === undefined ? given : place.cursor;
  let asked = limit === undefined ? await chooseInitialLimit(list, cursor) : Math.min(limit, initialLimit);
  for (let mayGrow = true; ; ) {
    const page = await list.read({ limit: asked, cursor });
    const isWhole = asked === limit || page.nextCursor === undefined;
    const length = (await list.length(page)) / (isWhole ? maxLength : room.length);
    const load = Math.max(length, (page.nodes.length - page.matches) / (neighbours ?? Infinity));
    const isCut = !isWhole && page.nextCursor !== undefined;
    if (load > 1 && page.matches <= 1) return readPiece(reader, list, page, { from: start, cursor, room });
    if (load <= 1 && !(isCut && mayGrow && load < halfFull)) {
      return { ...page, warnings: isCut ? [truncationWarning()] : [] };
    }
    if (load > 1) mayGrow = false;
    asked =
      load > 1 ? shrinkLimit(page.matches, load) : Math.min(growLimit(page.matches, load), limit ?? Infinity);
  }
}

/** Undefined for all nodes. */
async function chooseInitialLimit<N extends { readonly node: Node }>(
  list: NodePageSource<N>,
  cursor: string | undefined,
): Promise<number | undefined> {
  const guessed = await list.estimateLimit?.();
  return guessed ?? (list.estimateLimit === undefined || cursor !== undefined ? initialLimit : undefined);
}

/** The next attempt after a page that was too long. */
function shrinkLimit(matches: number, load: number): number {
  return Math.max(1, Math.min(matches - 1, Math.floor((matches * 0.9) / load)));
}

/** The next attempt after a page with much room left. */
function growLimit(matches: number, load: number): number {
  return Math.max(matches * 2, Math.floor((matches * 0.8) / Math.max(load, 0.001)));
}

/** Continues within a node; undefined if that node is gone. */
async function resume<N extends { readonly node: Node }>(
  reader: Reader,
  list: NodePageSource<N>,
  { match, from, cursor }: ResumeCursor,
  room: PageBudget,
): Promise<FittedPage<N> | undefined> {
  const page = await list.read({ limit: 1, cursor });
  if ((matchOf(page)?.id ?? 0) !== match) return undefined;
  return readPiece(reader, list, page, { from, cursor, room });
}

interface PieceRequest {
  readonly from: PagePosition;
  readonly cursor: string | undefined;
  readonly room: PageBudget;
}

async function readPiece<N extends { readonly node: Node }>(
  reader: Reader,
  list: NodePageSource<N>,
  page: SubgraphPage<N>,
  { from, cursor, room }: PieceRequest,
): Promise<FittedPage<N>> {
  const unit = matchGroupOf(page);
  const wholes = new Map(page.nodes.map((whole) => [whole.node.id, whole]));
  // A surface may need more room around texts and names than it was given: then try with less.
  for (let { length } = room; ; length = Math.floor(length / 2)) {
    const elements = elementsFrom(reader, unit, from, list.shown);
    const { nodes, edges, next } = await takePiece(elements, from, { ...room, length });
    const nextCursor =
      next === undefined
        ? page.nextCursor
        : encodeResumeCursor(list.name, { match: unit.match?.id ?? 0, from: next.position, cursor });
    const cut: FittedPage<N> = {
      nodes: nodes.flatMap((node) => truncateNode(list, wholes.get(node.node.id), node)),
      matches: nodes.filter(({ isNeighbour }) => !isNeighbour).length,
      edges,
      ...(nextCursor === undefined ? {} : { nextCursor }),
      warnings: nextCursor === undefined ? [] : [truncationWarning(next?.shown)],
    };
    if ((await list.length(cut)) <= room.length || length < room.length * reserved) return cut;
  }
}

function matchGroupOf<N extends { readonly node: Node }>(page: SubgraphPage<N>): MatchGroup {
  const neighbours = page.nodes.slice(page.matches).map(({ node }) => node);
  return { match: matchOf(page), neighbours, edges: page.edges };
}

function matchOf<N extends { readonly node: Node }>({ nodes, matches }: SubgraphPage<N>): Node | undefined {
  return matches === 0 ? undefined : nodes[0]?.node;
}

function truncateNode<N extends { readonly node: Node }>(
  list: NodePageSource<N>,
  whole: N | undefined,
  { node, facts }: TruncatedNode,
): readonly N[] {
  return whole === undefined ? [] : [list.truncate(whole, node, facts)];
}

function truncationWarning(shown = 'more nodes follow'): string {
  return `The response was too long and was cut here: ${shown}. Pass nextCursor as cursor to continue.`;
}
