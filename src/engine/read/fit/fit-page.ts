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

/** Some nodes of a list, the neighbours that are shown with them, and edges. */
export interface SubgraphPage<N> {
  /** The matches, then their neighbours. */
  readonly nodes: readonly N[];
  /** How many of the nodes are matches. */
  readonly matches: number;
  readonly edges: readonly Edge[];
  readonly nextCursor?: string;
}

/** A page that one answer has room for. */
export interface FittedPage<N> extends SubgraphPage<N> {
  /** Says where the answer was cut, if it was. */
  readonly warnings: readonly string[];
}

/** A list of nodes that is read in pages, as one tool shows it. */
export interface NodePageSource<N extends { readonly node: Node }> {
  /** What its cursors are marked with, so that no other list takes them. */
  readonly name: string;
  readonly shown: ShownParts;
  read(page: Pick<PageRequest, 'limit' | 'cursor'>): Promise<SubgraphPage<N>>;
  /** A node of a page with only some of its texts; its summary and tags are those of `node`. */
  truncate(whole: N, node: Node, facts: readonly NumberedFact[]): N;
  /** How many characters an answer with this page has: of one that is too long, at least so many. */
  length(page: SubgraphPage<N>): number | Promise<number>;
  /** A first guess of how many nodes fit, undefined if all may; left out, little is known before some are read. */
  readonly estimateLimit?: (() => Promise<number | undefined>) | undefined;
}

export interface FitRequest extends Pick<PageRequest, 'limit' | 'cursor'> {
  /** Neighbours of matches in one answer; left out, any number. */
  readonly neighbours?: number | undefined;
  /** Characters in one answer; left out, as many as are ever sent. */
  readonly maxLength?: number | undefined;
}

/** Nodes that are tried first where more are asked for: what does not fit is not to be read in vain. */
const initialLimit = 1_000;

/** A cut page with less in it is read again with more nodes. */
const halfFull = 0.4;

const start = toPagePosition({ neighbour: undefined, part: 'head' });

/** The part of an answer that is left free when it is cut, for its cursor and for saying so. */
const reserved = 1 / 64;

/**
 * The page that was asked for, or as much of it as one answer has room for. A page of several nodes gets fewer nodes; one
 * node that is too long is shown in pieces, cut between two of its facts, or within a text that is too long by itself.
 * Whoever follows `nextCursor` gets every fact of every match once.
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

/** How many nodes are read first where all are asked for; undefined: all. */
async function chooseInitialLimit<N extends { readonly node: Node }>(
  list: NodePageSource<N>,
  cursor: string | undefined,
): Promise<number | undefined> {
  const guessed = await list.estimateLimit?.();
  return guessed ?? (list.estimateLimit === undefined || cursor !== undefined ? initialLimit : undefined);
}

/** Matches that are tried next after so many had this load, which is too much. */
function shrinkLimit(matches: number, load: number): number {
  return Math.max(1, Math.min(matches - 1, Math.floor((matches * 0.9) / load)));
}

/** The same after so many left much room. */
function growLimit(matches: number, load: number): number {
  return Math.max(matches * 2, Math.floor((matches * 0.8) / Math.max(load, 0.001)));
}

/** Goes on within a node; undefined if that node is gone. */
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

/** Where a piece of a page begins, the cursor of the page, and the room there is. */
interface PieceRequest {
  readonly from: PagePosition;
  readonly cursor: string | undefined;
  readonly room: PageBudget;
}

/** A page of one match from a position on, as far as there is room. */
async function readPiece<N extends { readonly node: Node }>(
  reader: Reader,
  list: NodePageSource<N>,
  page: SubgraphPage<N>,
  { from, cursor, room }: PieceRequest,
): Promise<FittedPage<N>> {
  const unit = matchGroupOf(page);
  const wholes = new Map(page.nodes.map((whole) => [whole.node.id, whole]));
  // What a surface shows beside texts and names may need more room than it was given: then there is less for the rest.
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

/** What is said of an answer that was cut between two nodes, or within one. */
function truncationWarning(shown = 'more nodes follow'): string {
  return `The whole answer would be too long, so it is cut here: ${shown}. Pass nextCursor as cursor to go on.`;
}
