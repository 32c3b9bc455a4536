import { GraphAccess, type MemoryMeshGraphSource } from './graph-access.js';

/** What the managers have in common: a graph, which those of one application share. */
export abstract class GraphManager {
  protected readonly graph: GraphAccess;

  constructor(graph: GraphAccess | MemoryMeshGraphSource) {
    this.graph = graph instanceof GraphAccess ? graph : new GraphAccess(graph);
  }

  /** Lets go of the file; a later call opens it again. */
  close(): Promise<void> {
    return this.graph.close();
  }
}
