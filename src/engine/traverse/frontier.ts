import { TrellisError } from '../../model/error.js';
import { workspaceLimits } from '../../model/limits.js';
import type { Node, NodeId } from '../../model/node.js';
import { compareOrder } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';

/** Ids in one statement. */
const batchSize = 500;

interface FrontierOptions {
  /** Follows only edges of this type. */
  readonly edgeType?: string | undefined;
  /** Leaves out what exceeds it; without it, more than `workspaceLimits.visitedNodes` are an error. */
  readonly maxNodes?: number | undefined;
}

/** A breadth-first search along edges in either direction, a layer at a time. Ignores stubs. */
export class Frontier {
  readonly #reader: Reader;
  readonly #depths = new Map<NodeId, number>();
  readonly #parents = new Map<NodeId, NodeId[]>();
  readonly #edgeType: string | undefined;
  readonly #maxNodes: number | undefined;
  #layer: readonly Node[];
  #depth = 0;
  #isCut = false;

  constructor(reader: Reader, start: readonly Node[], { edgeType, maxNodes }: FrontierOptions = {}) {
    this.#reader = reader;
    this.#edgeType = edgeType;
    this.#maxNodes = maxNodes;
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

  /** Whether nodes were left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Undefined if not reached. */
  depthOf(id: NodeId): number | undefined {
    return this.#depths.get(id);
  }

  /** The nodes one hop nearer to the start from which the node was reached. */
  parentsOf(id: NodeId): readonly NodeId[] {
    return this.#parents.get(id) ?? [];
  }

  /** @param wanted How many nodes of the next layer matter if it is cut. */
  async advance(wanted = Number.POSITIVE_INFINITY): Promise<void> {
    const mayCut = this.#maxNodes !== undefined;
    const limit = this.#maxNodes ?? workspaceLimits.visitedNodes;
    const options = { type: this.#edgeType, ...(mayCut ? { limit: limit + 1 } : {}) };
    const parents = new Map<NodeId, Set<NodeId>>();
    const arrive = (from: NodeId, to: NodeId) => {
      if (this.#depths.get(from) !== this.#depth || this.#depths.has(to)) return;
      const known = parents.get(to);
      if (known === undefined) parents.set(to, new Set([from]));
      else known.add(from);
    };
    for (const ids of batches(this.#layer.map(({ id }) => id))) {
      const links = await this.#reader.linksOf(ids, options);
      for (const { from, to } of links) {
        arrive(from, to);
        arrive(to, from);
      }
      if (this.reached + parents.size <= limit && !(mayCut && links.length > limit)) continue;
      if (!mayCut) throw tooManyNodes();
      this.#isCut = true;
      break;
    }
    const layer: Node[] = [];
    const found = [...parents.keys()];
    for (const ids of batches(this.#isCut ? found.slice(0, wanted) : found)) {
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
