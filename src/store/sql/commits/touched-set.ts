import { iterateChunks } from '../../../bounds/chunks.js';
import { NumberSet } from '../../../bounds/number-set.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import type { EdgeIdentity } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import { EdgeSet } from './edge-set.js';

type EdgeTest = (edge: EdgeIdentity) => boolean;

export class TouchedSet {
  readonly nodes = new NumberSet();
  readonly #edges = new EdgeSet();

  get edgeCount(): number {
    return this.#edges.size;
  }

  get edges(): EdgeIdentity[] {
    return [...this.#edges];
  }

  async edgesExcept(isExcepted: EdgeTest): Promise<EdgeIdentity[]> {
    const others: EdgeIdentity[] = [];
    await this.#visitEdges((edge) => {
      if (!isExcepted(edge)) others.push(edge);
    });
    return others;
  }

  /** The ends of the edges that are not excepted, without the nodes of this set. */
  async furtherEnds(isExcepted: EdgeTest): Promise<NumberSet> {
    const ends = new NumberSet();
    await this.#visitEdges((edge) => {
      if (isExcepted(edge)) return;
      if (!this.nodes.has(edge.from)) ends.add(edge.from);
      if (!this.nodes.has(edge.to)) ends.add(edge.to);
    });
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

  /** A large write touches very many, so others have turns meanwhile. */
  async #visitEdges(visit: (edge: EdgeIdentity) => void): Promise<void> {
    const slice = new TimeSlice();
    for (const some of iterateChunks(this.#edges)) {
      if (slice.isOver) await slice.yieldToOthers();
      some.forEach(visit);
    }
  }
}
