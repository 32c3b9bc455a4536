import { type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';

export class TouchedSet {
  readonly nodes = new Set<NodeId>();
  readonly #edges = new Map<string, EdgeIdentity>();

  get hasEdges(): boolean {
    return this.#edges.size > 0;
  }

  get edges(): EdgeIdentity[] {
    return [...this.#edges.values()];
  }

  edgesExcept(keys: { has(key: string): boolean }): EdgeIdentity[] {
    const others: EdgeIdentity[] = [];
    for (const [key, edge] of this.#edges) if (!keys.has(key)) others.push(edge);
    return others;
  }

  has(edge: string): boolean {
    return this.#edges.has(edge);
  }

  addNodes(ids: Iterable<NodeId>): void {
    for (const id of ids) this.nodes.add(id);
  }

  addEdges(edges: Iterable<EdgeIdentity>): void {
    for (const edge of edges) this.addEdge(edge, edgeKey(edge));
  }

  addEdge({ from, to, type, key }: EdgeIdentity, keyText: string): void {
    this.#edges.set(keyText, { from, to, type, key });
  }
}
