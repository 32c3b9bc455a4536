import { TrellisError } from '../../model/error.js';
import { workspaceLimits } from '../../model/limits.js';
import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Link } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';

/** Ids in one statement. */
const batchSize = 500;

/** A breadth-first search along edges in either direction, a layer at a time. Ignores stubs. */
export class Frontier {
  readonly #reader: Reader;
  readonly #depths = new Map<NodeId, number>();
  readonly #parents = new Map<NodeId, NodeId[]>();
  readonly #edgeType: string | undefined;
  #layer: readonly Node[];
  #depth = 0;

  /** @param edgeType Follows only edges of this type. */
  constructor(reader: Reader, start: readonly Node[], edgeType?: string) {
    this.#reader = reader;
    this.#edgeType = edgeType;
    this.#layer = start;
    for (const { id } of start) this.#depths.set(id, 0);
  }

  get depth(): number {
    return this.#depth;
  }

  /** The nodes `depth` hops away, in creation order. */
  get layer(): readonly Node[] {
    return this.#layer;
  }

  get reached(): number {
    return this.#depths.size;
  }

  /** Undefined if not reached. */
  depthOf(id: NodeId): number | undefined {
    return this.#depths.get(id);
  }

  /** The nodes one hop nearer to the start from which the node was reached. */
  parentsOf(id: NodeId): readonly NodeId[] {
    return this.#parents.get(id) ?? [];
  }

  async #linksOf(ids: readonly NodeId[]): Promise<readonly Link[]> {
    if (this.#edgeType === undefined) return this.#reader.linksOf(ids);
    return (await this.#reader.edgesOf(ids)).filter(({ type }) => type === this.#edgeType);
  }

  async advance(): Promise<void> {
    const parents = new Map<NodeId, Set<NodeId>>();
    const arrive = (from: NodeId, to: NodeId) => {
      if (this.#depths.get(from) !== this.#depth || this.#depths.has(to)) return;
      const known = parents.get(to);
      if (known === undefined) parents.set(to, new Set([from]));
      else known.add(from);
    };
    for (const ids of batches(this.#layer.map(({ id }) => id))) {
      for (const { from, to } of await this.#linksOf(ids)) {
        arrive(from, to);
        arrive(to, from);
      }
      if (this.reached + parents.size > workspaceLimits.visitedNodes) throw tooManyNodes();
    }
    const layer: Node[] = [];
    for (const ids of batches([...parents.keys()])) {
      layer.push(...(await this.#reader.nodesById(ids)).filter((node) => !node.stub));
    }
    this.#depth += 1;
    this.#layer = layer.sort((a, b) => compareOrder(a.order, b.order));
    for (const { id } of layer) {
      this.#depths.set(id, this.#depth);
      this.#parents.set(id, [...(parents.get(id) ?? [])]);
    }
  }
}

function* batches(ids: readonly NodeId[]): Generator<readonly NodeId[]> {
  for (let at = 0; at < ids.length; at += batchSize) yield ids.slice(at, at + batchSize);
}

function tooManyNodes(): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `The search would visit more than ${workspaceLimits.visitedNodes} nodes.`,
    { hint: 'Use a smaller depth or limit, or start from a node with fewer relations.' },
  );
}
