import { EdgeManager } from './edge-manager.js';
import type { Listener } from './event-emitter.js';
import { GraphAccess, type MemoryMeshGraphSource } from './graph-access.js';
import type {
  EdgeFilter,
  EdgeIdentifier,
  MemoryMeshEdge,
  MemoryMeshEdgeUpdate,
  MemoryMeshGraph,
  MemoryMeshNode,
  MemoryMeshNodeUpdate,
} from './memorymesh-shapes.js';
import { MetadataManager } from './metadata-manager.js';
import { NodeManager } from './node-manager.js';
import { SearchManager } from './search-manager.js';
import { runInTransaction, TransactionManager } from './transaction-manager.js';

/** A graph of nodes and weighted edges: the entry point to all managers. */
export class ApplicationManager {
  readonly #graph: GraphAccess;
  readonly #nodes: NodeManager;
  readonly #edges: EdgeManager;
  readonly #metadata: MetadataManager;
  readonly #search: SearchManager;
  readonly #transactions = new TransactionManager();

  /** A path that ends in `.db` is a SQLite database, any other a JSON lines file. */
  constructor(fileOrStore: MemoryMeshGraphSource) {
    this.#graph = new GraphAccess(fileOrStore);
    this.#nodes = new NodeManager(this.#graph);
    this.#edges = new EdgeManager(this.#graph);
    this.#metadata = new MetadataManager(this.#graph);
    this.#search = new SearchManager(this.#graph);
  }

  addNodes(nodes: readonly MemoryMeshNode[]): Promise<void> {
    return this.#nodes.addNodes(nodes);
  }

  updateNodes(updates: readonly MemoryMeshNodeUpdate[]): Promise<void> {
    return this.#nodes.updateNodes(updates);
  }

  deleteNodes(names: readonly string[]): Promise<void> {
    return this.#nodes.deleteNodes(names);
  }

  addEdges(edges: readonly MemoryMeshEdge[]): Promise<void> {
    return this.#edges.addEdges(edges);
  }

  updateEdges(updates: readonly MemoryMeshEdgeUpdate[]): Promise<void> {
    return this.#edges.updateEdges(updates);
  }

  deleteEdges(identifiers: readonly EdgeIdentifier[]): Promise<void> {
    return this.#edges.deleteEdges(identifiers);
  }

  getEdges(filter?: EdgeFilter): Promise<MemoryMeshEdge[]> {
    return this.#edges.getEdges(filter);
  }

  addMetadata(nodeName: string, metadata: readonly string[]): Promise<void> {
    return this.#metadata.addMetadata(nodeName, metadata);
  }

  deleteMetadata(nodeName: string, metadata: readonly string[]): Promise<void> {
    return this.#metadata.deleteMetadata(nodeName, metadata);
  }

  readGraph(): Promise<MemoryMeshGraph> {
    return this.#search.readGraph();
  }

  searchNodes(query: string): Promise<MemoryMeshGraph> {
    return this.#search.searchNodes(query);
  }

  openNodes(names: readonly string[]): Promise<MemoryMeshGraph> {
    return this.#search.openNodes(names);
  }

  /** Nothing is stored until `commit`, but reads see the writes. */
  async beginTransaction(): Promise<void> {
    await this.#graph.events.emitAndWait('beforeBeginTransaction', {});
    await this.#transactions.beginTransaction();
    try {
      await this.#graph.begin();
    } catch (error) {
      await this.#transactions.rollback();
      throw error;
    }
  }

  /** Stores everything since `beginTransaction` as one commit. If that fails, nothing is stored and the transaction ends. */
  async commit(): Promise<void> {
    this.#transactions.requireTransaction();
    try {
      await this.#graph.commit();
    } catch (error) {
      await this.#transactions.rollback();
      throw error;
    }
    await this.#transactions.commit();
    this.#graph.emitAfter('afterCommit', {});
  }

  async rollback(): Promise<void> {
    this.#transactions.requireTransaction();
    this.#graph.emitAfter('beforeRollback', {});
    await this.#graph.rollback();
    await this.#transactions.rollback();
    this.#graph.emitAfter('afterRollback', {});
  }

  /** Stores what the operation writes as one commit, or nothing if it throws. */
  withTransaction<T>(operation: () => Promise<T>): Promise<T> {
    return runInTransaction(this, operation);
  }

  isInTransaction(): boolean {
    return this.#transactions.isInTransaction();
  }

  /** Returns a function that removes the listener. */
  on(event: string, listener: Listener): () => void {
    return this.#graph.events.on(event, listener);
  }

  once(event: string, listener: Listener): () => void {
    return this.#graph.events.once(event, listener);
  }

  off(event: string, listener: Listener): void {
    this.#graph.events.off(event, listener);
  }

  /** Rolls back an open transaction and releases the file; a later call opens it again. */
  async close(): Promise<void> {
    if (this.isInTransaction()) await this.rollback();
    await this.#graph.close();
  }
}
