import { type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';

/** What a write has touched: nodes, which include their observations, and edges. */
export class TouchedSet {
  readonly nodes = new Set<NodeId>();
  readonly #edges = new Map<string, EdgeIdentity>();

  get hasEdges(): boolean {
    return this.#edges.size > 0;
  }

  get edges(): EdgeIdentity[] {
    return [...this.#edges.values()];
  }

  /** The edges whose keys are not among these. */
  edgesExcept(keys: { has(key: string): boolean }): EdgeIdentity[] {
    const others: EdgeIdentity[] = [];
    for (const [key, edge] of this.#edges) if (!keys.has(key)) others.push(edge);
    return others;
  }

  /** Whether the edge of this key was touched. */
  has(edge: string): boolean {
    return this.#edges.has(edge);
  }

  addNodes(ids: Iterable<NodeId>): void {
    for (const id of ids) this.nodes.add(id);
  }

  addEdges(edges: Iterable<EdgeIdentity>): void {
    for (const edge of edges) this.addEdge(edge, edgeKey(edge));
  }

  /** Adds an edge whose key is known. */
  addEdge({ from, to, type, key }: EdgeIdentity, keyText: string): void {
    this.#edges.set(keyText, { from, to, type, key });
  }
}
