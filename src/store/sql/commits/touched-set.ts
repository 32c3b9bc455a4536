import type { EdgeIdentity } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import { EdgeSet } from './edge-set.js';

type EdgeTest = (edge: EdgeIdentity) => boolean;

export class TouchedSet {
  readonly nodes = new Set<NodeId>();
  readonly #edges = new EdgeSet();

  get edgeCount(): number {
    return this.#edges.size;
  }

  get edges(): EdgeIdentity[] {
    return [...this.#edges];
  }

  edgesExcept(isExcepted: EdgeTest): EdgeIdentity[] {
    const others: EdgeIdentity[] = [];
    for (const edge of this.#edges) if (!isExcepted(edge)) others.push(edge);
    return others;
  }

  /** The ends of the edges that are not excepted, without the nodes of this set. */
  furtherEnds(isExcepted: EdgeTest): Set<NodeId> {
    const ends = new Set<NodeId>();
    for (const edge of this.#edges) {
      if (isExcepted(edge)) continue;
      for (const end of [edge.from, edge.to]) if (!this.nodes.has(end)) ends.add(end);
    }
    return ends;
  }

  hasEdge(edge: EdgeIdentity): boolean {
    return this.#edges.has(edge);
  }

  addNodes(ids: Iterable<NodeId>): void {
    for (const id of ids) this.nodes.add(id);
  }

  addEdges(edges: Iterable<EdgeIdentity>): void {
    for (const edge of edges) this.addEdge(edge);
  }

  addEdge(edge: EdgeIdentity): void {
    this.#edges.add(edge);
  }
}
