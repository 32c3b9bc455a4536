import type pg from 'pg';
import { Mutex } from '../../bounds/mutex.js';
import type { Author } from '../../model/commit.js';
import type { RejectionDraft } from '../../model/rejection.js';
import type { ReadTarget, WriteTarget } from '../graph-targets.js';
import type { PurgeOptions, PurgeResult, StoreSize } from '../maintenance.js';
import type { ReadOptions } from '../read-options.js';
import type { Reader } from '../reader.js';
import { pendingDeletionAdvice } from '../sql/delete-graph.js';
import type { Executor } from '../sql/executor.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import type { Lineage } from '../sql/lineage.js';
import { purgeEverywhere } from '../sql/purge/purge-rows.js';
import { ReaderCaches } from '../sql/reader-caches.js';
import { SqlReader } from '../sql/sql-reader.js';
import { SqlStore } from '../sql/sql-store.js';
import { QuantizedVectorCache } from '../sql/vectors/quantized-vectors.js';
import { withoutRegistry } from '../sql/without-registry.js';
import type { CommittedWrite } from '../sql/write/write-commit.js';
import type { Store } from '../store-contract.js';
import { type StoreOptions, warnOnStderr } from '../store-options.js';
import type { VectorStore } from '../vector-store.js';
import type { CommitOverrides, PlannedWrite, PlannedWriteResult, WriteResult } from '../write-result.js';
import type { Writer } from '../writer.js';
import { BranchLock } from './branch-lock.js';
import { BranchWriteQueues } from './branch-write-queues.js';
import { checkPostgres, extensionAdvice } from './check-postgres.js';
import { databaseSize } from './database-size.js';
import {
  areTablesDistributed,
  describeLayout,
  distributeTables,
  type TablePlan,
} from './distribute-tables.js';
import { type Extensions, ensureExtensions, serverVersions } from './extensions.js';
import { GraphNotifications } from './graph-notifications.js';
import { PgExecutor } from './pg-executor.js';
import { openPool, openReplicaPool } from './pool.js';
import { postgresDialect } from './postgres-dialect.js';
import { describePostgresError } from './postgres-errors.js';
import { migratePostgres } from './postgres-migrations.js';
import { nodeTables, PlannerStatistics } from './postgres-planner-statistics.js';
import { PostgresReads } from './postgres-reads.js';
import { publicLocation } from './public-location.js';
import { describeReplica, replicaAdvice } from './read-replica.js';
import { readSnapshot } from './snapshot-reads.js';
import { TransactionRunner } from './transaction-runner.js';
import { PgvectorSearch } from './vectors/pgvector-search.js';
import { lockVectors, PostgresVectorStore } from './vectors/postgres-vector-store.js';
import { vectorIndexAdvice } from './vectors/vector-index-advice.js';
import { WorkTracker } from './work-tracker.js';
import { AbandonedWrite, writeBeforeLock } from './write-before-lock.js';

export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<PostgresStore> {
  const location = publicLocation(url);
  let pool = openPool(url);
  try {
    await migratePostgres(pool, location);
    const plans = (await areTablesDistributed(pool)) ? 'auto' : 'generic';
    if (plans !== 'generic') {
      await pool.end();
      pool = openPool(url, plans);
    }
    const extensions = await ensureExtensions(pool);
    const replica = openReplicaPool(url, plans);
    return new PostgresStore(location, { pool, replica, url, plans }, extensions, options);
  } catch (error) {
    await pool.end();
    throw describePostgresError(error, location);
  }
}

/** Creates the tables if need be, and spreads them over the nodes of the cluster. */
export async function distributePostgresStore(
  url: string,
  options: { readonly dryRun?: boolean } = {},
): Promise<TablePlan[]> {
  const location = publicLocation(url);
  const pool = openPool(url);
  try {
    await migratePostgres(pool, location);
    return await distributeTables(pool, options);
  } catch (error) {
    throw describePostgresError(error, location);
  } finally {
    await pool.end();
  }
}

/** For fewer, nobody waits long for the branch. */
const fewestRowsBeforeLock = 1_000;

interface PostgresConnections {
  readonly pool: pg.Pool;
  readonly replica: pg.Pool | undefined;
  readonly url: string;
  readonly plans: 'generic' | 'auto';
}

/** Graphs in a PostgreSQL database that any number of servers share. */
export class PostgresStore extends SqlStore implements Store {
  readonly kind = 'postgres';
  readonly location: string;
  readonly vectors: VectorStore;
  readonly #pool: pg.Pool;
  readonly #work: WorkTracker;
  readonly #transactions: TransactionRunner;
  readonly #notifications: GraphNotifications;
  readonly #writes: BranchWriteQueues<BranchLock>;
  /** Separate, so that no write has to wait for a rejection, or is repeated because of one. */
  readonly #rejections: BranchWriteQueues<undefined>;
  readonly #nodeStatistics: PlannerStatistics;
  readonly #edgeStatistics: PlannerStatistics;
  readonly #reads: PostgresReads;
  readonly #caches: ReaderCaches;
  readonly #isDistributed: boolean;
  /** Each holds a connection for long, and several would leave none to others. */
  readonly #largeWrites = new Mutex();

  constructor(
    location: string,
    { pool, replica, url, plans }: PostgresConnections,
    { vectors: pgvector }: Extensions,
    options: StoreOptions,
  ) {
    const notifications = new GraphNotifications(pool);
    super(postgresDialect, options, (changed) => notifications.watch(changed));
    const work = new WorkTracker(location);
    const transactions = new TransactionRunner(pool, plans);
    const mirrors = new QuantizedVectorCache();
    this.location = location;
    this.vectors = new PostgresVectorStore(
      { pool, transactions, work, pgvector },
      { kind: 'postgres', url, plans, pgvector },
    );
    this.#pool = pool;
    this.#isDistributed = plans === 'auto';
    this.#work = work;
    this.#transactions = transactions;
    this.#notifications = notifications;
    this.#writes = new BranchWriteQueues(transactions, (executor, target, writes) =>
      BranchLock.take(this.writeContext(executor), target, writes),
    );
    this.#rejections = new BranchWriteQueues(transactions, async () => undefined);
    this.#nodeStatistics = new PlannerStatistics(pool, nodeTables);
    this.#edgeStatistics = new PlannerStatistics(pool, ['edge_row']);
    this.#reads = new PostgresReads({ pool, replica }, work, options.warn ?? warnOnStderr);
    this.#caches = new ReaderCaches(pgvector ? new PgvectorSearch(mirrors) : mirrors);
  }

  get waitingWrites(): number {
    return this.#writes.pendingWrites;
  }

  async read<T>(
    target: ReadTarget,
    work: (reader: Reader) => Promise<T>,
    options: ReadOptions = {},
  ): Promise<T> {
    const show = (executor: PgExecutor, lineage: Lineage) => {
      const seen = target.registry?.hidden === true ? withoutRegistry(postgresDialect, lineage) : lineage;
      return work(new SqlReader(executor, postgresDialect, seen, { caches: this.#caches }));
    };
    return this.#reads.run(target, options, show);
  }

  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<WriteResult<T>> {
    return this.#work.run(async () => {
      const written = await this.#writes.run(
        target,
        (executor, lock) => lock.write(this.writeContext(executor), target, author, work, stamp),
        author.actor,
      );
      this.#written(target.graph, written);
      return { result: written.result, commit: written.commit };
    });
  }

  override async writePlanned<T>(
    target: WriteTarget,
    author: Author,
    planned: PlannedWrite<T>,
    stamp?: CommitOverrides,
  ): Promise<PlannedWriteResult<T>> {
    // On a cluster, nobody can tell who waits for whom.
    if ((target.rows ?? 0) < fewestRowsBeforeLock || this.#isDistributed)
      return super.writePlanned(target, author, planned, stamp);
    try {
      return await this.#work.run(async () => {
        const place = {
          ...{ pool: this.#pool, transactions: this.#transactions },
          contextOf: (on: Executor) => this.writeContext(on),
        };
        const written = await this.#largeWrites.run(
          () => writeBeforeLock(place, target, author, planned, stamp),
          author.actor,
        );
        this.#written(target.graph, written);
        const { result, commit, isMoved } = written;
        return { result, commit, isMoved };
      });
    } catch (error) {
      if (!(error instanceof AbandonedWrite)) throw error;
      return super.writePlanned(target, author, planned, stamp);
    }
  }

  #written(graph: string, { commit, touched }: CommittedWrite<unknown>): void {
    this.#work.track(this.#nodeStatistics.recordWrites(touched.nodes.size));
    // Edges may be written long after their nodes, and a plan made for no edges reads all of them each time.
    this.#work.track(this.#edgeStatistics.recordWrites(touched.edgeCount));
    if (commit === null) return;
    this.notifyOthers(graph);
    this.watchers.committed(graph, commit);
  }

  override keepRejection(graph: string, rejection: RejectionDraft): Promise<void> {
    return this.#work.run(async () => {
      await this.#rejections.run({ graph }, async (executor) => {
        await this.recordRejection(executor, graph, rejection);
        return { commit: null };
      });
    });
  }

  purge(graph: string, { text, dryRun = false }: PurgeOptions): Promise<PurgeResult> {
    return this.#work.run(async () => {
      const id = await new GraphCatalog(new PgExecutor(this.#pool)).requireGraph(graph);
      const { compileGraphSchema } = this;
      const place = { dialect: postgresDialect, graph: id, secret: text, compileGraphSchema };
      const purged = await this.#transactions.run(async (executor) => {
        // Pairs that somebody is saving are not there yet to be dropped.
        if (!dryRun) await executor.all(lockVectors);
        return purgeEverywhere({ executor, ...place }, dryRun);
      });
      // Row versions that an update replaced stay in the file until then.
      if (!dryRun)
        await this.#pool.query(
          'vacuum identity, node_row, observation_row, edge_row, node_property, property_value, rejection, graph_schema',
        );
      if (!dryRun) this.#caches.forgetTexts();
      return purged;
    });
  }

  async size(): Promise<StoreSize> {
    return { data: await this.#work.read(() => databaseSize(this.#pool)), log: undefined };
  }

  check(): Promise<string[]> {
    return this.#work.read(() => checkPostgres(this.#pool));
  }

  advice(): Promise<string[]> {
    return this.readDatabase(async (executor) => [
      ...(await pendingDeletionAdvice(executor, this.location)),
      ...(await extensionAdvice(this.#pool)),
      ...(await vectorIndexAdvice(this.#pool)),
      ...(await replicaAdvice(this.#reads.replica)),
    ]);
  }

  versions(): Promise<ReadonlyMap<string, string>> {
    return this.#work.read(() => serverVersions(this.#pool));
  }

  layout(): Promise<string> {
    return this.#work.read(async () =>
      [await describeLayout(this.#pool), ...(await describeReplica(this.#reads.replica))].join('; '),
    );
  }

  close(): Promise<void> {
    this.watchers.close();
    this.#reads.endLongReads();
    return this.#work.close(async () => {
      await this.#caches.close();
      await this.#reads.replica?.close();
      await this.#pool.end();
    });
  }

  protected override readDatabase<T>(look: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#work.read(() => look(new PgExecutor(this.#pool)));
  }

  protected override readSnapshot<T>(look: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#work.read(() => readSnapshot(this.#pool, look));
  }

  protected override notifyOthers(graph: string): void {
    this.#work.track(this.#notifications.send(graph));
  }

  protected override transact<T>(change: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#work.run(() => this.#transactions.run(change));
  }
}
