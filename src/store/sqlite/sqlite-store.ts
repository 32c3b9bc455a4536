import { type Clock, type Ids, systemClock, ulids } from '../../model/clock.js';
import type { Author, Commit } from '../../model/commit.js';
import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import { type Branch, type GraphRecord, mainBranch } from '../../model/graph.js';
import type { NodeId } from '../../model/node.js';
import type { Reader, Store, ViewTarget, Writer, WriteTarget, Written } from '../contract.js';
import type { StoreOptions } from '../options.js';
import { Catalog } from '../sql/catalog.js';
import { SqlReader } from '../sql/sql-reader.js';
import { SqlWriter } from '../sql/sql-writer.js';
import type { BatchGuard } from './batch-guard.js';
import type { Connection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { describeSqliteError } from './errors.js';
import { openFile, openInMemory } from './open-connections.js';
import { TextIndexer } from './text-indexer.js';
import { LostTransaction, readTransaction, savepoint, writeTransaction } from './transaction.js';
import { type QueuedWrite, WriteQueue } from './write-queue.js';

/** Opens a database file, making it if it is not there. */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<SqliteStore> {
  const { writer, reader } = await openFile(path);
  return new SqliteStore(path, { writer, reader }, options);
}

/** Opens an empty store that lives in memory, each batch of whose writes passes through a guard. */
export async function openMemorySqlite(
  options: StoreOptions & { guard?: BatchGuard } = {},
): Promise<SqliteStore> {
  const connection = await openInMemory();
  return new SqliteStore(':memory:', { writer: connection, reader: connection }, options);
}

/** What a write has touched, for the guard of its batch. */
interface Touched {
  readonly graph: string;
  readonly nodes: readonly NodeId[];
  readonly edges: readonly EdgeIdentity[];
}

/** Graphs in one SQLite database: one connection that writes, one that reads. */
export class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly capabilities = { graphs: true, branches: true };
  readonly location: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #guard: BatchGuard | undefined;
  readonly #queue: WriteQueue;
  readonly #indexer: TextIndexer;
  #touched: Touched[] = [];
  #closing: Promise<void> | undefined;

  constructor(
    location: string,
    { writer, reader }: { writer: Connection; reader: Connection },
    options: StoreOptions & { guard?: BatchGuard },
  ) {
    this.location = location;
    this.#writer = writer;
    this.#reader = reader;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? ulids();
    this.#guard = options.guard;
    this.#queue = new WriteQueue((batch) => this.#runBatch(batch));
    this.#indexer = new TextIndexer(writer);
    this.#indexer.wake();
  }

  graphs(): Promise<GraphRecord[]> {
    return this.#reading((catalog) => catalog.graphs());
  }

  createGraph(name: string): Promise<GraphRecord> {
    return this.#changingCatalog((catalog) => catalog.createGraph(name, this.#clock()));
  }

  branches(graph: string): Promise<Branch[]> {
    return this.#reading((catalog) => catalog.branches(graph));
  }

  createBranch(graph: string, name: string, from = mainBranch): Promise<Branch> {
    return this.#changingCatalog((catalog) => catalog.createBranch(graph, name, from, this.#clock()));
  }

  commits(
    target: WriteTarget,
    page: { before?: number | undefined; limit?: number } = {},
  ): Promise<Commit[]> {
    return this.#reading((catalog) => catalog.commits(target, page.before, page.limit ?? 100));
  }

  read<T>(target: ViewTarget, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#reading(async (catalog) =>
      work(new SqlReader(this.#reader, sqliteDialect, await catalog.lineage(target))),
    );
  }

  write<T>(target: WriteTarget, author: Author, work: (writer: Writer) => Promise<T>): Promise<Written<T>> {
    return this.#enqueue(() => this.#writeOnce(target, author, work));
  }

  /** A write that the guard does not see: for what the guard itself loads. Call it while no batch is running. */
  apply<T>(target: WriteTarget, author: Author, work: (writer: Writer) => Promise<T>): Promise<Written<T>> {
    return this.#writer.exclusive(async () => {
      const written = await writeTransaction(this.#writer, () => this.#writeOnce(target, author, work));
      this.#touched = [];
      this.#indexer.wake();
      return written;
    });
  }

  async check(): Promise<string[]> {
    return this.#reader.exclusive(async () => {
      const integrity = await this.#reader.all('pragma integrity_check');
      const findings = integrity
        .map((row) => String(row['integrity_check']))
        .filter((finding) => finding !== 'ok');
      return findings;
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#queue.close();
    await this.#indexer.close();
    await this.#writer.exclusive(async () => this.#writer.close());
    if (this.#reader !== this.#writer) await this.#reader.exclusive(async () => this.#reader.close());
  }

  async #reading<T>(work: (catalog: Catalog) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    return this.#reader.exclusive(() =>
      readTransaction(this.#reader, () => work(new Catalog(this.#reader))).catch((error: unknown) => {
        throw describeSqliteError(error, this.location);
      }),
    );
  }

  #changingCatalog<T>(work: (catalog: Catalog) => Promise<T>): Promise<T> {
    return this.#enqueue(() => work(new Catalog(this.#writer)));
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { value: T } | undefined;
      this.#queue.push({
        run: async () => {
          result = { value: await work() };
        },
        done: () => result && resolve(result.value),
        failed: (error) => reject(describeSqliteError(error, this.location)),
      });
    });
  }

  async #writeOnce<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
  ): Promise<Written<T>> {
    const catalog = new Catalog(this.#writer);
    const { graphId, branch } = await catalog.branch(target);
    const lineage = await catalog.headLineage(graphId, branch);
    const now = this.#clock();
    const writer = new SqlWriter(this.#writer, sqliteDialect, lineage, now);
    const result = await work(writer);
    const seq = writer.commitSeq;
    if (seq === undefined) return { result, commit: null };
    await writer.recordTouched();
    const record = { id: this.#ids(now), seq, time: now, counts: writer.changes };
    const commit = await catalog.addCommit(graphId, branch, record, author);
    if (this.#guard !== undefined) {
      this.#touched.push({
        graph: target.graph,
        nodes: [...writer.touchedNodes],
        edges: [...writer.touchedEdges],
      });
    }
    return { result, commit };
  }

  /** Runs writes that waited together as one transaction; each fails or succeeds by itself. */
  async #runBatch(batch: readonly QueuedWrite[]): Promise<void> {
    let settle: (() => void)[] = [];
    try {
      await this.#guarded(() =>
        this.#writer.exclusive(() =>
          writeTransaction(this.#writer, async () => {
            settle = await this.#runMembers(batch);
            await this.#beforeCommit();
          }),
        ),
      );
    } catch (error) {
      await this.#failOrReplay(batch, error);
      return;
    }
    for (const tell of settle) tell();
    this.#indexer.wake();
  }

  /** Runs each write by itself; answers how to tell each one's caller, which must wait until the batch is durable. */
  async #runMembers(batch: readonly QueuedWrite[]): Promise<(() => void)[]> {
    this.#touched = [];
    const settle: (() => void)[] = [];
    for (const write of batch) {
      try {
        await savepoint(this.#writer, () => write.run());
        settle.push(() => write.done());
      } catch (error) {
        if (error instanceof LostTransaction) throw error;
        settle.push(() => write.failed(error));
      }
    }
    return settle;
  }

  /** The transaction is gone with every member. A lone write fails; several are tried again one by one. */
  async #failOrReplay(batch: readonly QueuedWrite[], error: unknown): Promise<void> {
    if (batch.length > 1 && error instanceof LostTransaction) {
      for (const write of batch) await this.#runBatch([write]);
      return;
    }
    const cause = error instanceof LostTransaction ? (error.cause ?? error) : error;
    for (const write of batch) write.failed(cause);
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#guard === undefined) return work();
    await this.#guard.begin();
    let committed = false;
    try {
      await work();
      committed = true;
    } finally {
      await this.#guard.end(committed);
    }
  }

  async #beforeCommit(): Promise<void> {
    const [first] = this.#touched;
    if (this.#guard === undefined || first === undefined) return;
    const nodes = new Set(this.#touched.flatMap((touched) => touched.nodes));
    const edges = new Map(
      this.#touched.flatMap((touched) => touched.edges).map((edge) => [edgeKey(edge), edge]),
    );
    const lineage = await new Catalog(this.#writer).lineage({ graph: first.graph });
    await this.#guard.beforeCommit({
      graph: first.graph,
      nodes: [...nodes],
      edges: [...edges.values()],
      reader: new SqlReader(this.#writer, sqliteDialect, lineage),
    });
  }
}
