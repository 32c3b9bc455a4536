import type { NodeId } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import { cursorWords, isNumber, wrongCursor } from '../numbers-cursor.js';

/** The parts of a node, in the order in which an answer that cannot hold them all shows them. */
export const parts = ['head', 'summary', 'tag', 'observation', 'property', 'edge'] as const;
export type Part = (typeof parts)[number];

/**
 * A place in what belongs to one match: whose part it is (the match itself comes before its neighbours), which part, and
 * where in it. The numbers are compared from left to right.
 */
export type Position = readonly number[];

const numbersOfPosition = 6;

export interface Place {
  /** The neighbour it is about; undefined: the match. */
  readonly neighbour: Order | undefined;
  readonly part: Part;
  /** The index of a tag or a property, the ordinal of an observation, the seq of an edge. */
  readonly index?: number;
  /** Characters of a text that come before it; the position of an edge. */
  readonly offset?: number;
}

export function positionOf({ neighbour, part, index = 0, offset = 0 }: Place): Position {
  const owner = neighbour === undefined ? [0, 0, 0] : [1, neighbour.seq, neighbour.position];
  return [...owner, parts.indexOf(part), index, offset];
}

/** Negative if `a` comes before `b`; only as many numbers are compared as both have. */
export function comparePositions(a: Position, b: Position): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Where to go on with a match that one answer could not hold. */
export interface CutPlace {
  /** The match; 0 if the page has none, only edges. */
  readonly match: NodeId;
  readonly from: Position;
  /** The cursor of the page that begins with the match; undefined: the first page. */
  readonly cursor: string | undefined;
}

export function encodeCut(list: string, { match, from, cursor = '' }: CutPlace): string {
  return Buffer.from([wordOf(list), match, ...from, cursor].join(' ')).toString('base64url');
}

/** Undefined if it is a cursor between two nodes of the list. */
export function decodeCut(list: string, given: string | undefined): CutPlace | undefined {
  if (given === undefined) return undefined;
  const [word, match = '', ...rest] = cursorWords(given);
  if (word !== wordOf(list)) return undefined;
  const numbers = [match, ...rest.slice(0, numbersOfPosition)];
  if (rest.length !== numbersOfPosition + 1 || !numbers.every(isNumber)) throw wrongCursor();
  const cursor = rest[numbersOfPosition] || undefined;
  return { match: Number(match), from: numbers.slice(1).map(Number), cursor };
}

function wordOf(list: string): string {
  return `${list}/cut`;
}
