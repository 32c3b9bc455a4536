import type pg from 'pg';
import { GraphCatalog } from '../../sql/graph-catalog.js';
import { sql } from '../../sql/sql.js';
import { saveNodePairs } from '../../sql/vectors/node-pairs/saved/save-node-pairs.js';
import { propertyModels, setPropertyModel } from '../../sql/vectors/property-models.js';
import { deleteVectors, putVectors } from '../../sql/vectors/text-vectors.js';
import {
  ensureSpace,
  findSpace,
  findSpaces,
  spaceGeneration,
  spacesOfGraph,
} from '../../sql/vectors/vector-spaces.js';
import type {
  NodePairsPatch,
  PendingText,
  TextVector,
  VectorSource,
  VectorSpace,
  VectorStore,
} from '../../vector-store.js';
import { PgExecutor } from '../pg-executor.js';
import { isPermissionDenied } from '../postgres-errors.js';
import { PlannerStatistics } from '../postgres-planner-statistics.js';
import type { TransactionRunner } from '../transaction-runner.js';
import type { WorkTracker } from '../work-tracker.js';
import { PendingTextQueue } from './pending-text-queue.js';
import { fillVectorColumn, hasUnfilledVectors, maxDimensions, vectorColumn } from './vector-column.js';
import { createVectorIndex } from './vector-index.js';

/** Changes of vectors run one at a time in the whole database: the second finds what the first has done. */
export const lockVectors = sql`select pg_advisory_xact_lock(hashtext('trellis vectors')) is null as locked`;

interface PostgresVectorStoreOptions {
  readonly pool: pg.Pool;
  readonly transactions: TransactionRunner;
  readonly work: WorkTracker;
  readonly pgvector: boolean;
}

export class PostgresVectorStore implements VectorStore {
  readonly source: VectorSource | undefined;
  readonly #store: PostgresVectorStoreOptions;
  readonly #pending = new PendingTextQueue();
  readonly #statistics: PlannerStatistics;

  constructor(store: PostgresVectorStoreOptions, source?: VectorSource) {
    this.source = source;
    this.#store = store;
    this.#statistics = new PlannerStatistics(store.pool, ['text_vector']);
  }

  pending(graph: string, space: VectorSpace, limit: number): Promise<PendingText[]> {
    return this.#read(graph, (executor, id) => this.#pending.take(executor, id, space, limit));
  }

  async put(graph: string, space: VectorSpace, vectors: readonly TextVector[]): Promise<void> {
    const { work, pgvector } = this.#store;
    const column = pgvector ? vectorColumn : undefined;
    await this.#transact(graph, async (executor, id) => {
      const place = { graph: id, space: await ensureSpace(executor, space) };
      await putVectors(executor, place, vectors, column);
    });
    work.track(this.#statistics.recordWrites(vectors.length));
  }

  spaces(graph: string): Promise<VectorSpace[]> {
    return this.#read(graph, spacesOfGraph);
  }

  generation(graph: string, space: VectorSpace): Promise<number | null> {
    return this.#read(graph, (executor, id) => spaceGeneration(executor, id, space));
  }

  async maintain(graph: string, space: VectorSpace): Promise<void> {
    const { work, pgvector } = this.#store;
    if (pgvector) await work.run(() => this.#makeIndex(graph, space));
  }

  propertyModels(graph: string): Promise<ReadonlyMap<string, string>> {
    return this.#read(graph, propertyModels);
  }

  setPropertyModel(graph: string, property: string, model: string): Promise<void> {
    return this.#transact(graph, (executor, id) => setPropertyModel(executor, id, property, model));
  }

  saveNodePairs(graph: string, patch: NodePairsPatch): Promise<boolean> {
    return this.#transact(graph, (executor, id) => saveNodePairs(executor, id, patch));
  }

  forget(graph: string, keep: readonly VectorSpace[] = []): Promise<void> {
    return this.#transact(graph, async (executor, id) =>
      deleteVectors(executor, id, await findSpaces(executor, keep)),
    );
  }

  /** What the role may not do is left to the owner of the tables; search works without it. */
  async #makeIndex(graph: string, space: VectorSpace): Promise<void> {
    const { pool, transactions } = this.#store;
    const executor = new PgExecutor(pool);
    try {
      const graphId = await new GraphCatalog(executor).requireGraph(graph);
      const id = await findSpace(executor, space);
      if (id === undefined || space.dimension > maxDimensions) return;
      const place = { graph: graphId, space: id };
      while (await hasUnfilledVectors(executor, place)) {
        await transactions.run((transaction) => fillVectorColumn(transaction, place));
      }
      await createVectorIndex(pool, id, space.dimension);
    } catch (error) {
      if (!isPermissionDenied(error)) throw error;
    }
  }

  #read<T>(graph: string, look: (executor: PgExecutor, graphId: number) => Promise<T>): Promise<T> {
    const executor = new PgExecutor(this.#store.pool);
    return this.#store.work.read(async () =>
      look(executor, await new GraphCatalog(executor).requireGraph(graph)),
    );
  }

  #transact<T>(graph: string, change: (executor: PgExecutor, graphId: number) => Promise<T>): Promise<T> {
    const { transactions, work } = this.#store;
    return work.run(() =>
      transactions.run(async (executor) => {
        // Not a table lock: a role that may only add and delete rows cannot take one.
        await executor.all(lockVectors);
        return change(executor, await new GraphCatalog(executor).requireGraph(graph));
      }),
    );
  }
}
