import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';

/** What a write has touched: nodes, which include their observations, and edges. */
export class Touched {
  readonly nodes = new Set<NodeId>();
  readonly #edges = new Map<string, EdgeIdentity>();

  get edges(): EdgeIdentity[] {
    return [...this.#edges.values()];
  }

  hasEdge(edge: EdgeIdentity): boolean {
    return this.#edges.has(edgeKey(edge));
  }

  addNodes(ids: Iterable<NodeId>): void {
    for (const id of ids) this.nodes.add(id);
  }

  addEdges(edges: Iterable<EdgeIdentity>): void {
    for (const { from, to, type, key } of edges) {
      this.#edges.set(edgeKey({ from, to, type, key }), { from, to, type, key });
    }
  }
}
