import type pg from 'pg';
import { Catalog } from '../../sql/catalog.js';
import { forgetVectors, putVectors } from '../../sql/vectors/text-vectors.js';
import { ensureSpace, findSpace, findSpaces, spacesOfGraph } from '../../sql/vectors/vector-spaces.js';
import type { PendingText, TextVector, VectorSpace, Vectors } from '../../vectors.js';
import { isForbidden } from '../errors.js';
import { PgExecutor } from '../pg-executor.js';
import { PlannerStatistics } from '../planner-statistics.js';
import type { RunningWork } from '../running-work.js';
import type { Transactions } from '../transactions.js';
import { PendingTexts } from './pending-texts.js';
import { fillColumn, isUnfilled, mostDimensions, vectorColumn } from './vector-column.js';
import { makeVectorIndex } from './vector-index.js';

/** What the vectors of a store need of it. */
interface StoreParts {
  readonly pool: pg.Pool;
  readonly transactions: Transactions;
  readonly work: RunningWork;
  /** Whether pgvector is there, by which they are found quickly. */
  readonly pgvector: boolean;
}

/** The vectors of a PostgreSQL database. */
export class PostgresVectors implements Vectors {
  readonly #store: StoreParts;
  readonly #waiting = new PendingTexts();
  readonly #statistics: PlannerStatistics;

  constructor(store: StoreParts) {
    this.#store = store;
    this.#statistics = new PlannerStatistics(store.pool, ['text_vector']);
  }

  pending(graph: string, space: VectorSpace, limit: number): Promise<PendingText[]> {
    return this.#looking(graph, (executor, id) => this.#waiting.take(executor, id, space, limit));
  }

  async put(graph: string, space: VectorSpace, vectors: readonly TextVector[]): Promise<void> {
    const { work, pgvector } = this.#store;
    const column = pgvector ? vectorColumn : undefined;
    await this.#changing(graph, async (executor, id) => {
      const place = { graph: id, space: await ensureSpace(executor, space) };
      await putVectors(executor, place, vectors, column);
    });
    work.follow(this.#statistics.wrote(vectors.length));
  }

  spaces(graph: string): Promise<VectorSpace[]> {
    return this.#looking(graph, spacesOfGraph);
  }

  async tend(graph: string, space: VectorSpace): Promise<void> {
    const { work, pgvector } = this.#store;
    if (pgvector) await work.run(() => this.#makeIndex(graph, space));
  }

  forget(graph: string, keep: readonly VectorSpace[] = []): Promise<void> {
    return this.#changing(graph, async (executor, id) =>
      forgetVectors(executor, id, await findSpaces(executor, keep)),
    );
  }

  /** What a role may not do is left to the owner of the tables; searching works all the same. */
  async #makeIndex(graph: string, space: VectorSpace): Promise<void> {
    const { pool, transactions } = this.#store;
    const executor = new PgExecutor(pool);
    try {
      const graphId = await new Catalog(executor).requireGraph(graph);
      const id = await findSpace(executor, space);
      if (id === undefined || space.dimension > mostDimensions) return;
      const place = { graph: graphId, space: id };
      while (await isUnfilled(executor, place)) {
        await transactions.run((transaction) => fillColumn(transaction, place));
      }
      await makeVectorIndex(pool, id, space.dimension);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }

  #looking<T>(graph: string, look: (executor: PgExecutor, graphId: number) => Promise<T>): Promise<T> {
    const executor = new PgExecutor(this.#store.pool);
    return this.#store.work.read(async () => look(executor, await new Catalog(executor).requireGraph(graph)));
  }

  /** One at a time in the whole database: whoever comes second finds what the first has embedded. */
  #changing(graph: string, change: (executor: PgExecutor, graphId: number) => Promise<void>): Promise<void> {
    const { transactions, work } = this.#store;
    return work.run(() =>
      transactions.run(async (executor) => {
        // Not a lock on a table: whoever may only add and delete rows cannot take one.
        await executor.all(`select pg_advisory_xact_lock(hashtext('trellis vectors')) is null as locked`);
        await change(executor, await new Catalog(executor).requireGraph(graph));
      }),
    );
  }
}
