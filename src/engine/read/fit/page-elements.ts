import type { Edge } from '../../../model/edge.js';
import type { Node, NodeId } from '../../../model/node.js';
import { compareOrder } from '../../../model/order.js';
import { renderProps } from '../../../model/render-props.js';
import type { Reader } from '../../../store/reader.js';
import type { NumberedFact } from '../open-nodes-with-ordinals.js';
import {
  comparePagePositions,
  type PagePosition,
  type PagePositionFields,
  toPagePosition,
} from './page-position.js';

/** What belongs to one match: the smallest page before anything is split. */
export interface MatchGroup {
  /** Undefined if there are only edges. */
  readonly match: Node | undefined;
  /** In creation order. */
  readonly neighbours: readonly Node[];
  readonly edges: readonly Edge[];
}

/** Something shown whole or, if it is a text, in pieces. */
export type PageElement = ElementContent & {
  readonly position: PagePosition;
  /** Undefined for edges without a match. */
  readonly owner: Node | undefined;
  readonly isNeighbour: boolean;
  /** How many of its kind precede it, and how many there are. */
  readonly before: number;
  readonly count: number;
};

type ElementContent =
  | { readonly part: 'head' }
  | { readonly part: 'summary' | 'tag'; readonly text: string }
  | { readonly part: 'observation' | 'property'; readonly text: string; readonly ordinal: number }
  | { readonly part: 'edge'; readonly edge: Edge };

/** What is shown of a node besides its name and type. */
export interface ShownParts {
  readonly summaryAndTags: boolean;
  readonly facts: boolean;
}

/** Neighbours whose facts are read together. */
const batchSize = 50;

/** The elements from a position on; skips reading the facts of earlier neighbours. */
export async function* elementsFrom(
  reader: Reader,
  unit: MatchGroup,
  from: PagePosition,
  shown: ShownParts,
): AsyncGenerator<PageElement> {
  const edges = edgesByNeighbour(unit);
  const { match, neighbours } = unit;
  if (from[0] === 0) {
    const observations = match === undefined || !shown.facts ? [] : await reader.observationsOf([match.id]);
    const own = new NodeElements(match, undefined, { before: 0, count: 1 });
    own.describe(observations, edges.get(undefined) ?? [], shown);
    yield* own.from(from);
  }
  const start = neighbours.findIndex(
    ({ order }) => comparePagePositions(neighbourPrefix(order), from.slice(0, 3)) >= 0,
  );
  for (let at = start; at >= 0 && at < neighbours.length; at += batchSize) {
    const some = neighbours.slice(at, at + batchSize);
    const observations = await reader.observationsOf(some.map(({ id }) => id));
    for (const [index, neighbour] of some.entries()) {
      const among = { before: at + index, count: neighbours.length };
      const parts = new NodeElements(neighbour, neighbour.order, among);
      const own = observations.filter(({ node }) => node === neighbour.id);
      parts.describe(own, edges.get(neighbour.id) ?? [], shown);
      yield* parts.from(from);
    }
  }
}

class NodeElements {
  readonly #owner: Node | undefined;
  readonly #neighbour: PagePositionFields['neighbour'];
  readonly #among: Pick<PageElement, 'before' | 'count'>;
  readonly #elements: PageElement[] = [];

  constructor(
    owner: Node | undefined,
    neighbour: PagePositionFields['neighbour'],
    among: Pick<PageElement, 'before' | 'count'>,
  ) {
    this.#owner = owner;
    this.#neighbour = neighbour;
    this.#among = among;
  }

  describe(observations: readonly NumberedFact[], edges: readonly Edge[], shown: ShownParts): void {
    const owner = this.#owner;
    if (owner !== undefined) {
      this.#add({ part: 'head' }, {}, this.#among);
      if (shown.summaryAndTags) {
        if (owner.summary !== null) this.#add({ part: 'summary', text: owner.summary });
        this.#addAll(owner.tags, (text, index) => [{ part: 'tag', text }, { index }]);
      }
      if (shown.facts) {
        this.#addAll(observations, ({ ordinal, text }) => [
          { part: 'observation', ordinal, text },
          { index: ordinal },
        ]);
        this.#addAll(renderProps(owner), (text, index) => [
          { part: 'property', ordinal: 0, text },
          { index },
        ]);
      }
    }
    this.#addAll(edges, (edge) => [
      { part: 'edge', edge },
      { index: edge.order.seq, offset: edge.order.position },
    ]);
  }

  /** The first may be a text that was split there. */
  *from(position: PagePosition): Generator<PageElement> {
    for (const element of this.#elements) {
      const isText = 'text' in element;
      const at = isText ? element.position.slice(0, -1) : element.position;
      if (comparePagePositions(at, position) >= 0) yield element;
    }
  }

  #addAll<T>(
    items: readonly T[],
    placed: (item: T, index: number) => [ElementContent, IndexAndOffset],
  ): void {
    for (const [before, item] of items.entries()) {
      this.#add(...placed(item, before), { before, count: items.length });
    }
  }

  #add(content: ElementContent, where: IndexAndOffset = {}, among = { before: 0, count: 1 }): void {
    const position = toPagePosition({ neighbour: this.#neighbour, part: content.part, ...where });
    const isNeighbour = this.#neighbour !== undefined;
    this.#elements.push({ ...content, ...among, position, owner: this.#owner, isNeighbour });
  }
}

type IndexAndOffset = Pick<PagePositionFields, 'index' | 'offset'>;

/** Edges in creation order, by the neighbour at the other end, or else by the match. */
function edgesByNeighbour({
  neighbours,
  edges,
}: MatchGroup): ReadonlyMap<NodeId | undefined, readonly Edge[]> {
  const ids = new Set(neighbours.map(({ id }) => id));
  const grouped = new Map<NodeId | undefined, Edge[]>();
  for (const edge of [...edges].sort((a, b) => compareOrder(a.order, b.order))) {
    const owner = [edge.to, edge.from].find((end) => ids.has(end));
    const others = grouped.get(owner);
    if (others === undefined) grouped.set(owner, [edge]);
    else others.push(edge);
  }
  return grouped;
}

function neighbourPrefix(order: Node['order']): PagePosition {
  return toPagePosition({ neighbour: order, part: 'head' }).slice(0, 3);
}
