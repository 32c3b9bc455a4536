import type { NodeId } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import { invalidCursor, isCursorNumber, splitCursor } from '../cursors.js';

/** In the order in which a split node shows them. */
const nodeParts = ['head', 'summary', 'tag', 'observation', 'property', 'edge'] as const;
type NodePart = (typeof nodeParts)[number];

/**
 * A position within one match: whose part (the match precedes its neighbours), which part, and where in it. Compared
 * from left to right.
 */
export type PagePosition = readonly number[];

const positionLength = 6;

export interface PagePositionFields {
  /** Undefined for the match itself. */
  readonly neighbour: Order | undefined;
  readonly part: NodePart;
  /** The index of a tag or a property, the ordinal of an observation, the seq of an edge. */
  readonly index?: number;
  /** Characters of a text before it; the position of an edge. */
  readonly offset?: number;
}

export function toPagePosition({ neighbour, part, index = 0, offset = 0 }: PagePositionFields): PagePosition {
  const owner = neighbour === undefined ? [0, 0, 0] : [1, neighbour.seq, neighbour.position];
  return [...owner, nodeParts.indexOf(part), index, offset];
}

/** Compares only as many numbers as both have. */
export function comparePagePositions(a: PagePosition, b: PagePosition): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Where to continue within a match that one response could not hold. */
export interface ResumeCursor {
  /** 0 if the page has only edges. */
  readonly match: NodeId;
  readonly from: PagePosition;
  /** The cursor of the page that begins with the match; undefined for the first page. */
  readonly cursor: string | undefined;
}

export function encodeResumeCursor(list: string, { match, from, cursor = '' }: ResumeCursor): string {
  return Buffer.from([wordOf(list), match, ...from, cursor].join(' ')).toString('base64url');
}

/** Undefined for a cursor between two nodes of the list. */
export function decodeResumeCursor(list: string, given: string | undefined): ResumeCursor | undefined {
  if (given === undefined) return undefined;
  const [word, match = '', ...rest] = splitCursor(given);
  if (word !== wordOf(list)) return undefined;
  const numbers = [match, ...rest.slice(0, positionLength)];
  if (rest.length !== positionLength + 1 || !numbers.every(isCursorNumber)) throw invalidCursor();
  const cursor = rest[positionLength] || undefined;
  return { match: Number(match), from: numbers.slice(1).map(Number), cursor };
}

function wordOf(list: string): string {
  return `${list}/cut`;
}
