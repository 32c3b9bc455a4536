import { type EdgeIdentity, edgeFromKey, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';

/** Nodes and edges; of edges only the keys are kept, since a large write has very many. */
export class TouchedSet {
  readonly nodes = new Set<NodeId>();
  readonly #edges = new Set<string>();

  get edgeCount(): number {
    return this.#edges.size;
  }

  get edges(): EdgeIdentity[] {
    return Array.from(this.#edges, edgeFromKey);
  }

  edgesExcept(keys: { has(key: string): boolean }): EdgeIdentity[] {
    const others: EdgeIdentity[] = [];
    for (const key of this.#edges) if (!keys.has(key)) others.push(edgeFromKey(key));
    return others;
  }

  endsExcept(keys: { has(key: string): boolean }): Set<NodeId> {
    const ends = new Set<NodeId>();
    for (const key of this.#edges) {
      if (keys.has(key)) continue;
      const { from, to } = edgeFromKey(key);
      ends.add(from).add(to);
    }
    return ends;
  }

  has(edge: string): boolean {
    return this.#edges.has(edge);
  }

  addNodes(ids: Iterable<NodeId>): void {
    for (const id of ids) this.nodes.add(id);
  }

  addEdges(edges: Iterable<EdgeIdentity>): void {
    for (const edge of edges) this.addEdge(edgeKey(edge));
  }

  addEdge(key: string): void {
    this.#edges.add(key);
  }
}
