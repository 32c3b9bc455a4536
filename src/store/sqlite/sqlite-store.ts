import type { Author } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import type { ReadTarget, WriteTarget } from '../graph-targets.js';
import type { PurgeOptions, PurgeResult, StoreSize } from '../maintenance.js';
import { ReadCancellation } from '../read-cancellation.js';
import type { ReadOptions } from '../read-options.js';
import type { Reader } from '../reader.js';
import { RunningReads } from '../running-reads.js';
import { deleteBatchSize, pendingDeletionAdvice } from '../sql/delete-graph.js';
import type { Executor } from '../sql/executor.js';
import { GraphCatalog } from '../sql/graph-catalog.js';
import type { WatchOthers } from '../sql/graph-watchers.js';
import type { Lineage } from '../sql/lineage.js';
import { ReaderCaches } from '../sql/reader-caches.js';
import { sql } from '../sql/sql.js';
import { SqlReader } from '../sql/sql-reader.js';
import { SqlStore } from '../sql/sql-store.js';
import { lineageShown } from '../sql/without-registry.js';
import { writeCommit } from '../sql/write/write-commit.js';
import type { StagedNodes } from '../staged-nodes.js';
import type { Store } from '../store-contract.js';
import type { StoreOptions } from '../store-options.js';
import type { VectorStore } from '../vector-store.js';
import type { CommitOverrides, WriteResult } from '../write-result.js';
import type { Writer } from '../writer.js';
import { type BatchInterceptor, notifyInterceptor, runIntercepted } from './batch-interceptor.js';
import { BoundedExecutor, budgetExceeded } from './bounded-executor.js';
import { databaseFileSize, usedBytes } from './database-file-size.js';
import { findDamage } from './find-damage.js';
import { type BatchHooks, GroupCommit, type WriteTouches } from './group-commit.js';
import { LargeCommitCheckpointer } from './large-writes/large-commit-checkpointer.js';
import { type LargeWrite, LargeWrites } from './large-writes/large-writes.js';
import { NodeStaging } from './large-writes/node-staging.js';
import { LongReadRouter } from './long-reads/long-read-router.js';
import { type Connections, openDatabaseFile, openInMemory } from './open-connections.js';
import { overwriteFreeSpace } from './overwrite-free-space.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { sqliteDialect } from './sqlite-dialect.js';
import { describeSqliteError } from './sqlite-errors.js';
import { optimizeTextIndex, removeTextRows } from './text/text-index.js';
import { TextIndexer } from './text/text-indexer.js';
import { readTransaction, writeTransaction } from './transaction.js';
import { SqliteVectorStore } from './vectors/sqlite-vector-store.js';
import { watchDataVersion } from './watch-data-version.js';
import { YieldingExecutor } from './yielding-executor.js';

export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<SqliteStore> {
  return new SqliteStore(path, await openDatabaseFile(path), options);
}

/** Opens an empty in-memory store; its interceptor sees each batch of writes. */
const inMemory = ':memory:';

export async function openInMemorySqliteStore(options: InMemoryOptions = {}): Promise<SqliteStore> {
  const connection = await openInMemory();
  return new SqliteStore(inMemory, { writer: connection, reader: connection }, options);
}

export interface InMemoryOptions extends StoreOptions {
  readonly interceptor?: BatchInterceptor;
  /** See `Reader.epoch`. */
  readonly epoch?: () => string;
  /** See `Reader.replacedIn`. */
  readonly replacedIn?: () => ReadonlySet<string>;
  /** How to notice what other processes do; default: SQLite's own means. */
  readonly watchOthers?: WatchOthers;
}

/** Graphs in one SQLite database: a connection that writes, one that reads, and processes for long reads. */
export class SqliteStore extends SqlStore implements Store {
  readonly kind = 'sqlite';
  readonly location: string;
  readonly vectors: VectorStore;
  readonly #writer: SqliteConnection;
  readonly #writing: YieldingExecutor;
  readonly #reader: SqliteConnection;
  readonly #shortReads: BoundedExecutor;
  readonly #checkFresh: (() => void) | undefined;
  readonly #commits: GroupCommit;
  readonly #longReads: LongReadRouter;
  /** Long reads of small graphs. */
  readonly #readsOnThread = new RunningReads();
  readonly #startsReadersEarly: boolean;
  readonly #epoch: () => string;
  readonly #replacedIn: (() => ReadonlySet<string>) | undefined;
  readonly #caches = new ReaderCaches();
  readonly #indexer: TextIndexer;
  readonly #largeCommits: LargeCommitCheckpointer | undefined;
  readonly #largeWrites: LargeWrites | undefined;
  readonly #staging: NodeStaging | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    location: string,
    { writer, reader, source, checkFresh }: Connections,
    options: InMemoryOptions,
  ) {
    super(sqliteDialect, options, options.watchOthers ?? watchDataVersion(writer));
    const read = <T>(look: (executor: Executor) => Promise<T>) => this.readDatabase(look);
    this.location = location;
    this.vectors = new SqliteVectorStore(
      { read, transact: (change) => this.transact(change) },
      source === undefined || source.readOnly ? undefined : { kind: 'sqlite', path: source.path },
    );
    this.#writer = writer;
    this.#writing = new YieldingExecutor(writer);
    this.#reader = reader;
    this.#shortReads = new BoundedExecutor(reader);
    this.#checkFresh = checkFresh;
    this.#commits = new GroupCommit(writer, this.#hooks(options.interceptor));
    this.#longReads = new LongReadRouter({ read, checkReadable: () => this.#checkReadable() }, source);
    this.#epoch = options.epoch ?? (() => '');
    const fold = async () => (await this.#longReads.processes())?.checkpointLog();
    if (reader !== writer) {
      this.#largeCommits = new LargeCommitCheckpointer(writer, this.#writing, `${location}-wal`, fold);
      this.#largeWrites = new LargeWrites({
        ...{ path: location, writer, checkpointer: this.#largeCommits },
        contextOf: (executor) => this.writeContext(executor),
        checkFresh: () => this.#checkFresh?.(),
        committed: (touches) => this.#committed(touches),
      });
      const { compileGraphSchema } = this;
      this.#staging = new NodeStaging(location, { read, compileGraphSchema });
    }
    this.#replacedIn = options.replacedIn;
    this.#indexer = new TextIndexer(writer);
    this.#indexer.wake(0);
    this.#startsReadersEarly = options.startsReadersEarly === true;
  }

  expectQueries(): void {
    if (this.#startsReadersEarly) this.#longReads.startInAdvance();
  }

  get waitingWrites(): number {
    return this.#commits.pendingWrites;
  }

  async read<T>(
    target: ReadTarget,
    work: (reader: Reader) => Promise<T>,
    options: ReadOptions = {},
  ): Promise<T> {
    const look = (executor: Executor) => lineageShown(executor, sqliteDialect, target);
    const show = (executor: Executor, lineage: Lineage) =>
      work(
        new SqlReader(executor, sqliteDialect, lineage, {
          epoch: this.#epoch(),
          replacedIn: this.#replacedIn?.(),
          caches: this.#caches,
        }),
      );
    const { length = 'short', actor } = options;
    // Commands and copies may write while they read, so their reads are never restarted.
    if (length === 'short' && actor === undefined)
      return this.#reading(look, (lineage) => show(this.#reader, lineage), '');
    if (length === 'short') {
      const short = this.#shortReads;
      const attempt = (lineage: Lineage) => short.attempt(() => show(short, lineage));
      const result = await this.#reading(look, attempt, actor);
      return result === budgetExceeded ? this.read(target, work, { ...options, length: 'linear' }) : result;
    }
    const cancellation = new ReadCancellation(options);
    return cancellation.run(options.signal, async () => {
      const processes = await this.#longReads.processesFor(length, target.graph);
      if (processes !== undefined) {
        const request = { actor: actor ?? '', graph: target.graph, isLong: length !== 'linear' };
        return this.#describeErrors(processes.run(request, cancellation, look, show));
      }
      const executor = new YieldingExecutor(this.#reader, cancellation);
      const race = (lineage: Lineage) => cancellation.raceCancellation(() => show(executor, lineage));
      return this.#readsOnThread.run(cancellation, () => this.#reading(look, race, actor ?? ''));
    });
  }

  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<WriteResult<T>> {
    if (this.#largeWrites?.suits(target) === true)
      return this.#writeLarge(this.#largeWrites, target, author, work, stamp);
    return this.#commits.run(
      () => writeCommit(this.writeContext(this.#writing.restart()), target, author, work, stamp),
      ({ commit, touched }) => (commit === null ? undefined : { graph: target.graph, touched, commit }),
      author.actor,
    );
  }

  async #writeLarge<T>(writes: LargeWrites, ...write: LargeWrite<T>): Promise<WriteResult<T>> {
    this.#checkReadable();
    return this.#describeErrors(writes.run(...write));
  }

  /** A plan is followed by its write, and by what others write: none of them folds the log on this thread. */
  override async rehearse<T>(...plan: Parameters<typeof SqlStore.prototype.rehearse<T>>): Promise<T> {
    const began = performance.now();
    try {
      return await super.rehearse(...plan);
    } finally {
      this.#largeCommits?.readEnded(performance.now() - began);
    }
  }

  override async stageNodes(...given: Parameters<Store['stageNodes']>): Promise<StagedNodes | undefined> {
    return this.#staging?.stage(...given);
  }

  /** A write that the interceptor does not see, for what it loads itself. Call it while no batch is running. */
  apply<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
  ): Promise<WriteResult<T>> {
    return this.#writer.exclusive(async () => {
      const written = await writeTransaction(this.#writer, () =>
        writeCommit(this.writeContext(this.#writing.restart()), target, author, work),
      );
      this.#indexer.wake(written.touched.nodes.size);
      if (written.commit !== null) this.watchers.committed(target.graph, written.commit, false);
      return written;
    });
  }

  async purge(graph: string, { text, dryRun = false }: PurgeOptions): Promise<PurgeResult> {
    const { purgeEverywhere } = await import('../sql/purge/purge-rows.js');
    const purged = await this.transact(async (executor) => {
      const { compileGraphSchema } = this;
      const id = await new GraphCatalog(executor).requireGraph(graph);
      const found = await purgeEverywhere(
        { executor, dialect: sqliteDialect, graph: id, secret: text, compileGraphSchema },
        dryRun,
      );
      if (!dryRun) optimizeTextIndex(executor);
      return found;
    });
    if (!dryRun) this.#caches.forgetTexts();
    if (!dryRun) await this.#describeErrors(this.#writer.exclusive(() => overwriteFreeSpace(this.#writer)));
    return purged;
  }

  async size(): Promise<StoreSize> {
    return this.location === inMemory
      ? { data: await usedBytes(this.#reader), log: undefined }
      : databaseFileSize(this.location);
  }

  check(): Promise<string[]> {
    return findDamage(this.#reader);
  }

  advice(): Promise<string[]> {
    return this.readDatabase((executor) => pendingDeletionAdvice(executor, this.location));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.watchers.close();
    this.#readsOnThread.close();
    await this.#caches.close();
    await this.#longReads.close();
    await this.#commits.close();
    await this.#largeWrites?.close();
    await this.#indexer.close();
    await this.#largeCommits?.close();
    if (this.#reader !== this.#writer) await this.#reader.exclusive(async () => this.#reader.close());
    await this.#writer.exclusive(async () => {
      // One of the bindings keeps the file open until its statements are garbage collected, so closing alone would leave
      // the log beside a file that looks complete.
      if (this.#reader !== this.#writer)
        await this.#writer.all(sql`pragma wal_checkpoint(truncate)`).catch(() => {});
      this.#writer.close();
    });
  }

  protected override readDatabase<T>(look: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#reading(
      () => look(new YieldingExecutor(this.#reader)),
      async (seen) => seen,
    );
  }

  /** Runs `work` on one state of the database, which `look` fixes. */
  async #reading<L, T>(
    look: (executor: Executor) => Promise<L>,
    work: (seen: L) => Promise<T>,
    actor?: string,
  ): Promise<T> {
    this.#checkReadable();
    return this.#reader.exclusive(
      () => this.#describeErrors(readTransaction(this.#reader, () => look(this.#reader), work)),
      actor,
    );
  }

  #checkReadable(): void {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    this.#checkFresh?.();
  }

  protected override transact<T>(change: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#commits.run(() => change(this.#writing.restart()));
  }

  /** The interceptor is for changes. */
  protected override maintain<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    if (this.location !== inMemory) return this.transact(work);
    return this.#writer.exclusive(() => writeTransaction(this.#writer, () => work(this.#writing.restart())));
  }

  protected override async deleteGraphRows(executor: Executor, graph: number): Promise<boolean> {
    return (await removeTextRows(executor, graph, deleteBatchSize)) || super.deleteGraphRows(executor, graph);
  }

  async #describeErrors<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw describeSqliteError(error, this.location);
    }
  }

  #hooks(interceptor: BatchInterceptor | undefined): BatchHooks {
    return {
      wrap: (batch) => (interceptor === undefined ? batch() : runIntercepted(interceptor, batch)),
      describeError: (error) => describeSqliteError(error, this.location),
      beforeCommit: (touches) => {
        this.#checkFresh?.();
        return interceptor === undefined
          ? this.#largeCommits?.prepare()
          : notifyInterceptor(interceptor, this.#writer, touches);
      },
      committed: (touches) => {
        this.#largeCommits?.committed();
        this.#committed(touches);
      },
    };
  }

  #committed(touches: readonly WriteTouches[]): void {
    this.#indexer.wake(touches.reduce((sum, { touched }) => sum + touched.nodes.size, 0));
    for (const { graph, commit } of touches) this.watchers.committed(graph, commit);
  }
}
