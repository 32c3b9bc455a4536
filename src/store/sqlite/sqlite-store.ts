import { type Clock, type Ids, systemClock, ulids } from '../../model/clock.js';
import type { Author, Commit } from '../../model/commit.js';
import type { EdgeIdentity } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import { type Branch, type GraphRecord, mainBranch } from '../../model/graph.js';
import { limits } from '../../model/limits.js';
import type { NodeId } from '../../model/node.js';
import type { Rejection, RejectionDraft } from '../../model/rejection.js';
import type { TouchedByCommit } from '../answers.js';
import type { CommitStamp, Reader, Store, ViewTarget, Writer, WriteTarget, Written } from '../contract.js';
import { Ending } from '../ending.js';
import type { StoreOptions } from '../options.js';
import type { RejectionPage } from '../questions.js';
import type { ReadOptions } from '../read-options.js';
import { Catalog } from '../sql/catalog.js';
import type { CollectContext } from '../sql/collect/collect.js';
import { Touched } from '../sql/commits/touched.js';
import {
  removeGraph,
  removeGraphRows,
  rowsAtOnce,
  unemptiedGraphs,
  unfinishedDeletions,
} from '../sql/delete-graph.js';
import { EndableExecutor } from '../sql/endable-executor.js';
import type { Executor } from '../sql/executor.js';
import { history } from '../sql/history.js';
import type { Lineage } from '../sql/lineage.js';
import { TextLengths } from '../sql/query/texts/text-lengths.js';
import { keepRejection, listRejections } from '../sql/rejections.js';
import { integer } from '../sql/rows.js';
import { SchemaGuards } from '../sql/schema-guards.js';
import { SqlReader } from '../sql/sql-reader.js';
import { forgetVectors, putVectors } from '../sql/vectors/text-vectors.js';
import { VectorMirrors } from '../sql/vectors/vector-mirrors.js';
import { ensureSpace, findSpaces, spacesOfGraph } from '../sql/vectors/vector-spaces.js';
import { WordCounts } from '../sql/word-counts.js';
import { writeCommit } from '../sql/write-commit.js';
import type { Collected, CollectOptions, Purged, PurgeOptions } from '../upkeep.js';
import type { Vectors } from '../vectors.js';
import type { BatchGuard } from './batch-guard.js';
import type { Connection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { advanceProgress, pendingTexts } from './embedding-progress.js';
import { describeSqliteError } from './errors.js';
import { type BatchHooks, GroupCommit, type Outcome, type WriteTouch } from './group-commit.js';
import type { LogRoom } from './log-room.js';
import type { ReaderSource } from './long-reads/messages.js';
import type { ReadingProcesses } from './long-reads/reading-processes.js';
import { type Connections, openFile, openInMemory } from './open-connections.js';
import { overwriteFreeSpace } from './overwrite-free-space.js';
import { removeTextRows, rewriteTextIndex } from './text-index.js';
import { TextIndexer } from './text-indexer.js';
import { readTransaction, writeTransaction } from './transaction.js';

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
}

/** A graph of fewer rows is read on this thread, since that takes no longer than starting a process. */
const rowsReadAtOnce = 20_000;
const highestRows = `select coalesce((select max(row) from node_row), 0)
  + coalesce((select max(row) from observation_row), 0) + coalesce((select max(row) from edge_row), 0) as rows`;

/** Graphs in one SQLite database: one connection that writes, one that reads, and processes for what reads long. */
export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly capabilities = { graphs: true, branches: true, rejections: true, schemas: true };
  readonly location: string;
  readonly vectors: Vectors;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #checkFresh: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #keptRejections: number;
  readonly #guards: SchemaGuards;
  readonly #commits: GroupCommit;
  readonly #epoch: () => string;
  readonly #mirrors = new VectorMirrors();
  readonly #words = new WordCounts();
  readonly #lengths = new TextLengths();
  readonly #indexer: TextIndexer;
  readonly #logRoom: LogRoom | undefined;
  readonly #source: ReaderSource | undefined;
  /** Loaded when something long is read, which few sessions do. */
  #processes: Promise<ReadingProcesses> | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    location: string,
    { writer, reader, source, checkFresh, logRoom }: Connections,
    options: MemoryOptions,
  ) {
    this.location = location;
    this.vectors = this.#vectors();
    this.#writer = writer;
    this.#reader = reader;
    this.#checkFresh = checkFresh;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? ulids();
    this.#guards = new SchemaGuards(options.guards);
    this.#keptRejections = options.keptRejections ?? limits.keptRejections;
    this.#epoch = options.epoch ?? (() => '');
    this.#commits = new GroupCommit(writer, this.#hooks(options.guard));
    this.#logRoom = logRoom;
    this.#source = source;
    this.#indexer = new TextIndexer(writer);
    this.#indexer.wake(0);
  }

  get waitingWrites(): number {
    return this.#commits.waiting;
  }

  graphs(): Promise<GraphRecord[]> {
    return this.#looking((catalog) => catalog.graphs());
  }

  createGraph(name: string): Promise<GraphRecord> {
    return this.#changingCatalog((catalog) => catalog.createGraph(name, this.#clock()));
  }

  renameGraph(name: string, to: string): Promise<GraphRecord> {
    return this.#changingCatalog((catalog) => catalog.renameGraph(name, to));
  }

  async deleteGraph(name: string): Promise<void> {
    await this.#changing((writer) => removeGraph(writer, name, this.#clock()));
    for (const { id } of await this.#changing(unemptiedGraphs)) {
      while (await this.#changing((writer) => this.#removeRows(writer, id)));
    }
  }

  branches(graph: string): Promise<Branch[]> {
    return this.#looking((catalog) => catalog.branches(graph));
  }

  createBranch(graph: string, name: string, from = mainBranch): Promise<Branch> {
    return this.#changingCatalog((catalog) =>
      catalog.createBranch(graph, name, from, this.#clock(), sqliteDialect.keepBranch),
    );
  }

  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch> {
    return this.#changingCatalog((catalog) =>
      catalog.deleteBranch({ graph, branch: name }, this.#clock(), sqliteDialect.holdBranch, made),
    );
  }

  commit(graph: string, id: string): Promise<Commit> {
    return this.#looking(async (catalog) => (await catalog.log(graph)).get(id));
  }

  commits(
    target: WriteTarget,
    page: { before?: number | undefined; limit?: number } = {},
  ): Promise<Commit[]> {
    return this.#looking((catalog) => history(catalog, sqliteDialect, target, page));
  }

  async read<T>(
    target: ViewTarget,
    work: (reader: Reader) => Promise<T>,
    options: ReadOptions = {},
  ): Promise<T> {
    const look = (catalog: Catalog) => catalog.lineage(target);
    const show = (executor: Executor, lineage: Lineage) =>
      work(
        new SqlReader(executor, sqliteDialect, lineage, {
          ...{ epoch: this.#epoch(), nearest: this.#mirrors, words: this.#words, lengths: this.#lengths },
        }),
      );
    const { length = 'short', signal } = options;
    if (length === 'short') return this.#reading(look, (lineage) => show(this.#reader, lineage));
    const ending = new Ending(options);
    return ending.race(signal, async () => {
      const processes = await this.#processesFor(length);
      if (processes !== undefined)
        return this.#worded(processes.run(ending, (executor) => look(new Catalog(executor)), show));
      const endable = new EndableExecutor(this.#reader, ending);
      return this.#reading(look, (lineage) => ending.unlessEnded(() => show(endable, lineage)));
    });
  }

  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    return this.#looking(async (catalog) => (await catalog.log(graph)).since(seq, limit));
  }

  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    return this.#looking(async (catalog) => (await catalog.log(graph)).touchedBy(commit.id));
  }

  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitStamp,
  ): Promise<Written<T>> {
    return this.#worded(this.#commits.run(() => this.#writeOnce(target, author, work, stamp)));
  }

  keepRejection(graph: string, rejection: RejectionDraft): Promise<void> {
    return this.#changingCatalog(async (catalog) =>
      keepRejection(this.#writer, await catalog.requireGraph(graph), rejection, this.#keptRejections),
    );
  }

  rejections(graph: string, page: RejectionPage = {}): Promise<Rejection[]> {
    return this.#looking(async (catalog) =>
      listRejections(this.#reader, await catalog.requireGraph(graph), page),
    );
  }

  /** A write that the guard does not see: for what the guard itself loads. Call it while no batch is running. */
  apply<T>(target: WriteTarget, author: Author, work: (writer: Writer) => Promise<T>): Promise<Written<T>> {
    return this.#writer.exclusive(async () => {
      const { result, touch } = await writeTransaction(this.#writer, () =>
        this.#writeOnce(target, author, work),
      );
      this.#indexer.wake(touch?.touched.nodes.size ?? 0);
      return result;
    });
  }

  async collect(graph: string, options: CollectOptions): Promise<Collected> {
    const id = await this.#looking((catalog) => catalog.requireGraph(graph));
    const context: CollectContext = {
      dialect: sqliteDialect,
      reading: (work) => this.#looking(() => work(this.#reader)),
      writing: (work) => this.#changing(work),
    };
    const { collect } = await import('../sql/collect/collect.js');
    return collect(context, id, options);
  }

  async purge(graph: string, { text, dryRun = false }: PurgeOptions): Promise<Purged> {
    const { purge } = await import('../sql/purge/purge.js');
    const purged = await this.#changingCatalog(async (catalog) => {
      const context = {
        ...{ executor: this.#writer, dialect: sqliteDialect },
        ...{ secret: text, guards: this.#guards },
      };
      const found = await purge({ ...context, graph: await catalog.requireGraph(graph) }, dryRun);
      if (!dryRun) await rewriteTextIndex(this.#writer);
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
    return this.#looking(() => unfinishedDeletions(this.#reader));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await (await this.#processes)?.close();
    await this.#commits.close();
    await this.#indexer.close();
    await this.#logRoom?.close();
    if (this.#reader !== this.#writer) await this.#reader.exclusive(async () => this.#reader.close());
    await this.#writer.exclusive(async () => {
      // One of the bindings does not let go of the file until its statements are collected, so closing alone would
      // leave the log unfolded beside a file that looks complete.
      if (this.#reader !== this.#writer)
        await this.#writer.all('pragma wal_checkpoint(truncate)').catch(() => {});
      this.#writer.close();
    });
  }

  #looking<T>(look: (catalog: Catalog) => Promise<T>): Promise<T> {
    return this.#reading(look, async (seen) => seen);
  }

  async #reading<L, T>(look: (catalog: Catalog) => Promise<L>, work: (seen: L) => Promise<T>): Promise<T> {
    this.#checkReadable();
    return this.#reader.exclusive(() =>
      this.#worded(readTransaction(this.#reader, () => look(new Catalog(this.#reader)), work)),
    );
  }

  #checkReadable(): void {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    this.#checkFresh?.();
  }

  /** Where a read runs that may take long; undefined if that is here. */
  async #processesFor(length: 'linear' | 'unbounded'): Promise<ReadingProcesses | undefined> {
    const source = this.#source;
    if (source === undefined || (length === 'linear' && !(await this.#isLarge()))) return undefined;
    this.#checkReadable();
    this.#processes ??= import('./long-reads/reading-processes.js').then(
      ({ ReadingProcesses }) => new ReadingProcesses(source),
    );
    return this.#processes;
  }

  /** The highest numbers of rows tell at once how many there are at most. */
  async #isLarge(): Promise<boolean> {
    const [row] = await this.#looking(() => this.#reader.all(highestRows));
    return row !== undefined && integer(row, 'rows') > rowsReadAtOnce;
  }

  #changingCatalog<T>(work: (catalog: Catalog) => Promise<T>): Promise<T> {
    return this.#changing((writer) => work(new Catalog(writer)));
  }

  /** A change that is no commit. */
  #changing<T>(work: (writer: Connection) => Promise<T>): Promise<T> {
    return this.#worded(this.#commits.run(async () => ({ result: await work(this.#writer) })));
  }

  async #removeRows(writer: Connection, graph: number): Promise<boolean> {
    const removed = await removeTextRows(writer, graph, rowsAtOnce);
    return removed || removeGraphRows(writer, graph, this.#clock());
  }

  async #writeOnce<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitStamp,
  ): Promise<Outcome<Written<T>>> {
    const catalog = new Catalog(this.#writer);
    const context = {
      executor: this.#writer,
      dialect: sqliteDialect,
      catalog,
      clock: this.#clock,
      ids: this.#ids,
      guards: this.#guards,
    };
    const { result, commit, touched } = await writeCommit(context, target, author, work, stamp);
    const written = { result, commit };
    return commit === null
      ? { result: written }
      : { result: written, touch: { graph: target.graph, touched } };
  }

  #vectors(): Vectors {
    return {
      pending: (graph, space, limit) =>
        this.#looking(async (catalog) =>
          pendingTexts(this.#reader, await catalog.requireGraph(graph), space, limit),
        ),
      put: (graph, space, vectors) =>
        this.#changingCatalog(async (catalog) => {
          const graphId = await catalog.requireGraph(graph);
          const id = await ensureSpace(this.#writer, space);
          await putVectors(this.#writer, graphId, id, vectors);
          // The writer is alone, so rows become visible in the order of their numbers.
          await advanceProgress(this.#writer, graphId, id, vectors);
        }),
      spaces: (graph) =>
        this.#looking(async (catalog) => spacesOfGraph(this.#reader, await catalog.requireGraph(graph))),
      // They are scanned in memory.
      tend: async () => {},
      forget: (graph, keep = []) =>
        this.#changingCatalog(async (catalog) => {
          const graphId = await catalog.requireGraph(graph);
          await forgetVectors(this.#writer, graphId, await findSpaces(this.#writer, keep));
        }),
    };
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
      around: (batch) => (guard === undefined ? batch() : guarded(guard, batch)),
      beforeCommit: async (touches) => {
        this.#checkFresh?.();
        const [first] = touches;
        if (guard === undefined || first === undefined) return;
        const lineage = await new Catalog(this.#writer).lineage({ graph: first.graph });
        await guard.beforeCommit({
          graph: first.graph,
          seq: lineage.levels[0].seq,
          ...together(touches),
          reader: new SqlReader(this.#writer, sqliteDialect, lineage),
        });
      },
      committed: (touches) => {
        this.#logRoom?.wake();
        this.#indexer.wake(touches.reduce((sum, { touched }) => sum + touched.nodes.size, 0));
      },
    };
  }
}

async function guarded(guard: BatchGuard, batch: () => Promise<void>): Promise<void> {
  await guard.begin();
  let committed = false;
  try {
    await batch();
    committed = true;
  } finally {
    await guard.end(committed);
  }
}

function together(touches: readonly WriteTouch[]): { nodes: NodeId[]; edges: EdgeIdentity[] } {
  const all = new Touched();
  for (const { touched } of touches) {
    all.addNodes(touched.nodes);
    all.addEdges(touched.edges);
  }
  return { nodes: [...all.nodes], edges: all.edges };
}
