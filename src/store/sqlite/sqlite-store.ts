import type { Author } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { Ending } from '../ending.js';
import type { StoreOptions } from '../options.js';
import type { ReadOptions } from '../read-options.js';
import type { Reader } from '../reader.js';
import { Catalog } from '../sql/catalog.js';
import type { CollectContext } from '../sql/collect/collect.js';
import { rowsAtOnce, unfinishedDeletions } from '../sql/delete-graph.js';
import type { Executor } from '../sql/executor.js';
import type { Lineage } from '../sql/lineage.js';
import { TextLengths } from '../sql/query/texts/text-lengths.js';
import { SqlReader } from '../sql/sql-reader.js';
import { SqlStore } from '../sql/sql-store.js';
import { VectorMirrors } from '../sql/vectors/vector-mirrors.js';
import { lineageShown } from '../sql/without-registry.js';
import { WordCounts } from '../sql/word-counts.js';
import { writeCommit } from '../sql/write/write-commit.js';
import type { Store } from '../store.js';
import type { ViewTarget, WriteTarget } from '../targets.js';
import type { Collected, CollectOptions, Purged, PurgeOptions } from '../upkeep.js';
import type { Vectors } from '../vectors.js';
import type { Writer } from '../writer.js';
import type { CommitStamp, Written } from '../written.js';
import type { BatchGuard } from './batch-guard.js';
import type { Connection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { describeSqliteError } from './errors.js';
import { type BatchHooks, GroupCommit } from './group-commit.js';
import { runGuarded, showGuard } from './guarded-batch.js';
import { LargeCommits } from './large-commits.js';
import { LongReads } from './long-reads/long-reads.js';
import { type Connections, openFile, openInMemory } from './open-connections.js';
import { overwriteFreeSpace } from './overwrite-free-space.js';
import { PausingExecutor } from './pausing-executor.js';
import { outgrown, ShortExecutor } from './short-executor.js';
import { removeTextRows, rewriteTextIndex } from './text/text-index.js';
import { TextIndexer } from './text/text-indexer.js';
import { readTransaction, writeTransaction } from './transaction.js';
import { SqliteVectors } from './vectors/sqlite-vectors.js';

/** Opens a database file, making it if it is not there. */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<SqliteStore> {
  return new SqliteStore(path, await openFile(path), options);
}

/** Opens an empty store that lives in memory, each batch of whose writes passes through a guard. */
export async function openMemorySqlite(options: MemoryOptions = {}): Promise<SqliteStore> {
  const connection = await openInMemory();
  return new SqliteStore(':memory:', { writer: connection, reader: connection }, options);
}

/** What the owner of an in-memory store adds. */
export interface MemoryOptions extends StoreOptions {
  readonly guard?: BatchGuard;
  /** See `Reader.epoch`. */
  readonly epoch?: () => string;
  /** See `Reader.replacedIn`. */
  readonly replacedIn?: () => ReadonlySet<string>;
}

/** Graphs in one SQLite database: one connection that writes, one that reads, and processes for what reads long. */
export class SqliteStore extends SqlStore implements Store {
  readonly kind = 'sqlite';
  readonly location: string;
  readonly vectors: Vectors;
  readonly #writer: Connection;
  /** What writes run their statements on. */
  readonly #writing: PausingExecutor;
  readonly #reader: Connection;
  readonly #shortReads: ShortExecutor;
  readonly #checkFresh: (() => void) | undefined;
  readonly #commits: GroupCommit;
  readonly #longReads: LongReads;
  readonly #epoch: () => string;
  readonly #replacedIn: (() => ReadonlySet<string>) | undefined;
  /** What all readers share. */
  readonly #shared = { nearest: new VectorMirrors(), words: new WordCounts(), lengths: new TextLengths() };
  readonly #indexer: TextIndexer;
  readonly #largeCommits: LargeCommits | undefined;
  #closing: Promise<void> | undefined;

  constructor(location: string, { writer, reader, source, checkFresh }: Connections, options: MemoryOptions) {
    super(sqliteDialect, options);
    const looking = <T>(look: (executor: Executor) => Promise<T>) => this.looking(look);
    this.location = location;
    this.vectors = new SqliteVectors({ looking, changing: (change) => this.changing(change) });
    this.#writer = writer;
    this.#writing = new PausingExecutor(writer);
    this.#reader = reader;
    this.#shortReads = new ShortExecutor(reader);
    this.#checkFresh = checkFresh;
    this.#commits = new GroupCommit(writer, this.#hooks(options.guard));
    this.#longReads = new LongReads({ looking, checkReadable: () => this.#checkReadable() }, source);
    this.#epoch = options.epoch ?? (() => '');
    const fold = async () => (await this.#longReads.processes())?.foldLog();
    this.#largeCommits =
      reader === writer ? undefined : new LargeCommits(writer, this.#writing, `${location}-wal`, fold);
    this.#replacedIn = options.replacedIn;
    this.#indexer = new TextIndexer(writer);
    this.#indexer.wake(0);
  }

  get waitingWrites(): number {
    return this.#commits.waiting;
  }

  async read<T>(
    target: ViewTarget,
    work: (reader: Reader) => Promise<T>,
    options: ReadOptions = {},
  ): Promise<T> {
    const look = (executor: Executor) => lineageShown(executor, sqliteDialect, target);
    const show = (executor: Executor, lineage: Lineage) =>
      work(
        new SqlReader(executor, sqliteDialect, lineage, {
          epoch: this.#epoch(),
          replacedIn: this.#replacedIn?.(),
          ...this.#shared,
        }),
      );
    const { length = 'short', actor } = options;
    // Commands and copies may write while they read: their reads are never begun again.
    if (length === 'short' && actor === undefined)
      return this.#reading(look, (lineage) => show(this.#reader, lineage), '');
    if (length === 'short') {
      const short = this.#shortReads;
      const attempt = (lineage: Lineage) => short.attempt(() => show(short, lineage));
      const answer = await this.#reading(look, attempt, actor);
      return answer === outgrown ? this.read(target, work, { ...options, length: 'linear' }) : answer;
    }
    const ending = new Ending(options);
    return ending.race(options.signal, async () => {
      const processes = await this.#longReads.processesFor(length, target.graph);
      if (processes !== undefined) {
        const seeker = { actor: actor ?? '', graph: target.graph, isLong: length !== 'linear' };
        return this.#worded(processes.run(seeker, ending, look, show));
      }
      const endable = new PausingExecutor(this.#reader, ending);
      return this.#reading(look, (lineage) => ending.unlessEnded(() => show(endable, lineage)), actor ?? '');
    });
  }

  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitStamp,
  ): Promise<Written<T>> {
    return this.#commits.run(
      () => writeCommit(this.writeContext(this.#writing.restart()), target, author, work, stamp),
      ({ commit, touched }) => (commit === null ? undefined : { graph: target.graph, touched }),
      author.actor,
    );
  }

  /** A write that the guard does not see: for what the guard itself loads. Call it while no batch is running. */
  apply<T>(target: WriteTarget, author: Author, work: (writer: Writer) => Promise<T>): Promise<Written<T>> {
    return this.#writer.exclusive(async () => {
      const written = await writeTransaction(this.#writer, () =>
        writeCommit(this.writeContext(this.#writing.restart()), target, author, work),
      );
      this.#indexer.wake(written.touched.nodes.size);
      return written;
    });
  }

  async collect(graph: string, options: CollectOptions): Promise<Collected> {
    const id = await this.looking((executor) => new Catalog(executor).requireGraph(graph));
    const context: CollectContext = {
      dialect: sqliteDialect,
      reading: (work) => this.looking(work),
      writing: (work) => this.changing(work),
    };
    const { collect } = await import('../sql/collect/collect.js');
    return collect(context, id, options);
  }

  async purge(graph: string, { text, dryRun = false }: PurgeOptions): Promise<Purged> {
    const { purge } = await import('../sql/purge/purge.js');
    const purged = await this.changing(async (executor) => {
      const place = {
        executor,
        dialect: sqliteDialect,
        graph: await new Catalog(executor).requireGraph(graph),
      };
      const found = await purge({ ...place, secret: text, guards: this.guards }, dryRun);
      if (!dryRun) rewriteTextIndex(executor);
      return found;
    });
    if (!dryRun) await this.#worded(this.#writer.exclusive(() => overwriteFreeSpace(this.#writer)));
    return purged;
  }

  async check(): Promise<string[]> {
    return this.#reader.exclusive(async () => {
      const integrity = await this.#reader.all('pragma integrity_check');
      return integrity.map((row) => String(row['integrity_check'])).filter((finding) => finding !== 'ok');
    });
  }

  advice(): Promise<string[]> {
    return this.looking(unfinishedDeletions);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#longReads.close();
    await this.#commits.close();
    await this.#indexer.close();
    await this.#largeCommits?.close();
    if (this.#reader !== this.#writer) await this.#reader.exclusive(async () => this.#reader.close());
    await this.#writer.exclusive(async () => {
      // One of the bindings does not let go of the file until its statements are collected, so closing alone would
      // leave the log unfolded beside a file that looks complete.
      if (this.#reader !== this.#writer)
        await this.#writer.all('pragma wal_checkpoint(truncate)').catch(() => {});
      this.#writer.close();
    });
  }

  protected override looking<T>(look: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#reading(look, async (seen) => seen);
  }

  /** Runs `work` on one state of the database, which what `look` looks at fixes. */
  async #reading<L, T>(
    look: (executor: Executor) => Promise<L>,
    work: (seen: L) => Promise<T>,
    actor?: string,
  ): Promise<T> {
    this.#checkReadable();
    return this.#reader.exclusive(
      () => this.#worded(readTransaction(this.#reader, () => look(this.#reader), work)),
      actor,
    );
  }

  #checkReadable(): void {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    this.#checkFresh?.();
  }

  protected override changing<T>(change: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#commits.run(() => change(this.#writing.restart()));
  }

  protected override async removeRows(executor: Executor, graph: number): Promise<boolean> {
    return (await removeTextRows(executor, graph, rowsAtOnce)) || super.removeRows(executor, graph);
  }

  /** Gives the database's errors words a user can act on. */
  async #worded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw describeSqliteError(error, this.location);
    }
  }

  #hooks(guard: BatchGuard | undefined): BatchHooks {
    return {
      around: (batch) => (guard === undefined ? batch() : runGuarded(guard, batch)),
      worded: (error) => describeSqliteError(error, this.location),
      beforeCommit: (touches) => {
        this.#checkFresh?.();
        return guard === undefined ? this.#largeCommits?.prepare() : showGuard(guard, this.#writer, touches);
      },
      committed: (touches) => {
        this.#largeCommits?.committed();
        this.#indexer.wake(touches.reduce((sum, { touched }) => sum + touched.nodes.size, 0));
      },
    };
  }
}
