import type { Edge } from '../../../model/edge.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { NumberedFact } from '../open-nodes-with-ordinals.js';
import type { PageElement } from './page-elements.js';
import type { PagePosition } from './page-position.js';

export interface PageBudget {
  readonly length: number;
  /** Left out, unlimited. */
  readonly neighbours?: number | undefined;
}

export interface TruncatedNode {
  /** With truncated summary and tags. */
  readonly node: Node;
  readonly facts: readonly NumberedFact[];
  readonly isNeighbour: boolean;
}

/** As much of a group as fits. */
interface PagePiece {
  readonly nodes: readonly TruncatedNode[];
  readonly edges: readonly Edge[];
  /** Where the rest begins; undefined if nothing is left. */
  readonly next: { readonly position: PagePosition; readonly shown: string } | undefined;
}

// More than any surface needs around a name, a text or an edge.
const headOverhead = 512;
const textOverhead = 128;
const edgeOverhead = 256;

/** Takes elements while there is room. A text longer than a whole response is split. */
export async function takePiece(
  elements: AsyncIterable<PageElement>,
  from: PagePosition,
  room: PageBudget,
): Promise<PagePiece> {
  const piece = new PieceBuilder(room);
  for await (const element of elements) {
    const skipped = 'text' in element && isSplitWithin(element.position, from) ? (from.at(-1) ?? 0) : 0;
    const stopped = piece.add(element, skipped);
    if (stopped !== undefined) return { ...piece.content(), next: stopped };
  }
  return { ...piece.content(), next: undefined };
}

interface GrowingNode {
  node: Node;
  readonly facts: NumberedFact[];
  readonly isNeighbour: boolean;
}

class PieceBuilder {
  readonly #room: PageBudget;
  #used = 0;
  #neighbours = 0;
  /** Whether it holds nothing but heads. */
  #isBare = true;
  readonly #nodes = new Map<NodeId, GrowingNode>();
  readonly #edges: Edge[] = [];

  constructor(room: PageBudget) {
    this.#room = room;
  }

  content(): Pick<PagePiece, 'nodes' | 'edges'> {
    return { nodes: [...this.#nodes.values()], edges: this.#edges };
  }

  /** Returns where to continue if not all of the element fits. */
  add(element: PageElement, skipped: number): PagePiece['next'] {
    const opens =
      element.part !== 'edge' && element.owner !== undefined && !this.#nodes.has(element.owner.id);
    const head = opens && element.owner !== undefined ? headLength(element.owner) : 0;
    if (
      opens &&
      element.isNeighbour &&
      this.#neighbours >= (this.#room.neighbours ?? Number.POSITIVE_INFINITY)
    )
      return { position: element.position, shown: progressText(element, 0) };
    const left = this.#room.length - this.#used - head;
    if (contentLength(element, skipped) <= left) {
      this.#show(element, head, skipped);
      return undefined;
    }
    // What cannot be split is shown at any length, or paging would never end.
    if (this.#isBare && !('text' in element)) {
      this.#show(element, head, skipped);
      return undefined;
    }
    if (!this.#isBare || !('text' in element)) {
      return { position: at(element.position, skipped), shown: progressText(element, skipped) };
    }
    const end = skipped + fittingLength(element.text.slice(skipped), left);
    this.#show({ ...element, text: element.text.slice(0, end) }, head, skipped);
    return { position: at(element.position, end), shown: progressText(element, end) };
  }

  #show(element: PageElement, head: number, skipped: number): void {
    this.#used += head + contentLength(element, skipped);
    if (element.part !== 'head') this.#isBare = false;
    if (element.part === 'edge') {
      this.#edges.push(element.edge);
      return;
    }
    if (element.owner === undefined) return;
    const shown = this.#open(element.owner, element.isNeighbour);
    if (element.part === 'summary') shown.node = { ...shown.node, summary: element.text.slice(skipped) };
    if (element.part === 'tag')
      shown.node = { ...shown.node, tags: [...shown.node.tags, element.text.slice(skipped)] };
    if ('ordinal' in element)
      shown.facts.push({ ordinal: element.ordinal, text: element.text.slice(skipped) });
  }

  #open(owner: Node, isNeighbour: boolean): GrowingNode {
    const open = this.#nodes.get(owner.id);
    if (open !== undefined) return open;
    if (isNeighbour) this.#neighbours += 1;
    const opened = { node: { ...owner, summary: null, tags: [] }, facts: [], isNeighbour };
    this.#nodes.set(owner.id, opened);
    return opened;
  }
}

function isSplitWithin(position: PagePosition, from: PagePosition): boolean {
  return position.slice(0, -1).every((number, index) => number === from[index]);
}

function at(position: PagePosition, offset: number): PagePosition {
  return offset === 0 ? position : [...position.slice(0, -1), offset];
}

function headLength({ name, type }: Node): number {
  return jsonLength(name) + jsonLength(type) + headOverhead;
}

function contentLength(element: PageElement, skipped: number): number {
  if (element.part === 'head') return 0;
  if (element.part === 'edge') {
    const { fromName, toName, type } = element.edge;
    return jsonLength(fromName) + jsonLength(toName) + jsonLength(type) + edgeOverhead;
  }
  return jsonLength(element.text.slice(skipped)) + textOverhead;
}

function jsonLength(text: string): number {
  return JSON.stringify(text).length;
}

/** At least one, and never half of a surrogate pair. */
function fittingLength(text: string, room: number): number {
  let length = Math.min(text.length, room);
  while (length > 2 && jsonLength(text.slice(0, length)) + textOverhead > room)
    length = Math.floor(length / 2);
  return /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && length > 1 ? length - 1 : length;
}

const kinds = {
  tag: 'tags',
  observation: 'observations',
  property: 'properties',
  edge: 'relations',
} as const;

/** What was shown when a response ends before or within an element. */
function progressText(element: PageElement, offset: number): string {
  const { part, before, count, owner, isNeighbour } = element;
  const of = owner === undefined ? '' : ` of "${truncateName(owner.name)}"`;
  if ('text' in element && offset > 0) {
    const { length } = element.text;
    const what = part === 'observation' ? `observation ${before + 1}` : `a ${part}`;
    return `${offset} of ${length} characters of ${what}${of} have been shown`;
  }
  if (part === 'head')
    return isNeighbour ? `${before} of ${count} neighbours have been shown` : 'nothing has been shown';
  if (part === 'summary') return `nothing${of} has been shown`;
  return `${before} of ${count} ${kinds[part]}${of} have been shown`;
}

function truncateName(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 80).toWellFormed()}…`;
}
