import type pg from 'pg';
import { type Clock, type Ids, systemClock, ulids } from '../../model/clock.js';
import type { Author, Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { type Branch, type GraphRecord, mainBranch } from '../../model/graph.js';
import { limits } from '../../model/limits.js';
import type { Rejection, RejectionDraft } from '../../model/rejection.js';
import type { TouchedByCommit } from '../answers.js';
import type { CommitStamp, Reader, Store, ViewTarget, Writer, WriteTarget, Written } from '../contract.js';
import { Ending } from '../ending.js';
import type { StoreOptions } from '../options.js';
import type { RejectionPage } from '../questions.js';
import type { ReadOptions } from '../read-options.js';
import { Catalog } from '../sql/catalog.js';
import { type CollectContext, collect } from '../sql/collect/collect.js';
import { removeGraph, removeGraphRows, unemptiedGraphs, unfinishedDeletions } from '../sql/delete-graph.js';
import { history } from '../sql/history.js';
import type { Lineage } from '../sql/lineage.js';
import { purge } from '../sql/purge/purge.js';
import { TextLengths } from '../sql/query/texts/text-lengths.js';
import { keepRejection, listRejections } from '../sql/rejections.js';
import { SchemaGuards } from '../sql/schema-guards.js';
import { SqlReader } from '../sql/sql-reader.js';
import type { NearestDocuments } from '../sql/vectors/nearest-documents.js';
import { forgetVectors, putVectors } from '../sql/vectors/text-vectors.js';
import { VectorMirrors } from '../sql/vectors/vector-mirrors.js';
import { ensureSpace, findSpace, findSpaces, spacesOfGraph } from '../sql/vectors/vector-spaces.js';
import { WordCounts } from '../sql/word-counts.js';
import { writeCommit } from '../sql/write-commit.js';
import type { Collected, CollectOptions, Purged, PurgeOptions } from '../upkeep.js';
import type { VectorSpace, Vectors } from '../vectors.js';
import { BranchWrites } from './branch-writes.js';
import { checkDatabase, missingExtensions } from './check.js';
import { postgresDialect } from './dialect.js';
import { EndableReads } from './endable-reads.js';
import { describePostgresError, isForbidden, isLostConnection } from './errors.js';
import { type Extensions, ensureExtensions } from './extensions.js';
import { publicLocation } from './location.js';
import { migrate } from './migrations.js';
import { PgExecutor } from './pg-executor.js';
import { nodeTables, PlannerStatistics } from './planner-statistics.js';
import { openPool } from './pool.js';
import { retrying } from './retry.js';
import { inSnapshot, SnapshotReads } from './snapshot-reads.js';
import { Transactions } from './transactions.js';
import { PendingTexts } from './vectors/pending-texts.js';
import { fillColumn, isUnfilled, mostDimensions, vectorColumn } from './vectors/vector-column.js';
import { makeVectorIndex } from './vectors/vector-index.js';
import { VectorSearch } from './vectors/vector-search.js';

/** Opens a database, bringing its tables up to date. */
export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<PostgresStore> {
  const location = publicLocation(url);
  const pool = openPool(url);
  try {
    await migrate(pool, location);
    return new PostgresStore(location, pool, await ensureExtensions(pool), options);
  } catch (error) {
    await pool.end();
    throw describePostgresError(error, location);
  }
}

/** Graphs in a PostgreSQL database that any number of servers share. */
export class PostgresStore implements Store {
  readonly kind = 'postgres';
  readonly capabilities = { graphs: true, branches: true, rejections: true, schemas: true };
  readonly location: string;
  readonly vectors: Vectors;
  readonly #pool: pg.Pool;
  readonly #catalog: Catalog;
  readonly #transactions: Transactions;
  readonly #writes: BranchWrites;
  /** Apart from the writes, so that none of those has to wait for a rejection, or be done again because of one. */
  readonly #rejections: BranchWrites;
  readonly #statistics: PlannerStatistics;
  readonly #edgeStatistics: PlannerStatistics;
  readonly #vectorStatistics: PlannerStatistics;
  readonly #snapshots = new SnapshotReads();
  readonly #endable: EndableReads;
  readonly #nearest: NearestDocuments;
  readonly #words = new WordCounts();
  readonly #lengths = new TextLengths();
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #keptRejections: number;
  readonly #guards: SchemaGuards;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(location: string, pool: pg.Pool, { vectors }: Extensions, options: StoreOptions) {
    this.location = location;
    this.vectors = this.#vectors(vectors);
    this.#nearest = vectors ? new VectorSearch(new VectorMirrors()) : new VectorMirrors();
    this.#pool = pool;
    this.#catalog = new Catalog(new PgExecutor(pool));
    this.#transactions = new Transactions(pool);
    this.#endable = new EndableReads(pool);
    this.#writes = new BranchWrites(this.#transactions);
    this.#rejections = new BranchWrites(this.#transactions);
    this.#statistics = new PlannerStatistics(pool, nodeTables);
    this.#edgeStatistics = new PlannerStatistics(pool, ['edge_row']);
    this.#vectorStatistics = new PlannerStatistics(pool, ['text_vector']);
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? ulids();
    this.#guards = new SchemaGuards(options.guards);
    this.#keptRejections = options.keptRejections ?? limits.keptRejections;
  }

  get waitingWrites(): number {
    return this.#writes.waiting;
  }

  graphs(): Promise<GraphRecord[]> {
    return this.#reading(() => this.#catalog.graphs());
  }

  createGraph(name: string): Promise<GraphRecord> {
    return this.#tracked(() =>
      this.#transactions.run((executor) => new Catalog(executor).createGraph(name, this.#clock())),
    );
  }

  renameGraph(name: string, to: string): Promise<GraphRecord> {
    return this.#tracked(() =>
      this.#transactions.run((executor) => new Catalog(executor).renameGraph(name, to)),
    );
  }

  async deleteGraph(name: string): Promise<void> {
    const change = <T>(work: (executor: PgExecutor) => Promise<T>) =>
      this.#tracked(() => this.#transactions.run(work));
    await change((executor) => removeGraph(executor, name, this.#clock()));
    for (const { id } of await change(unemptiedGraphs)) {
      while (await change((executor) => removeGraphRows(executor, id, this.#clock())));
    }
  }

  branches(graph: string): Promise<Branch[]> {
    return this.#reading(() => this.#catalog.branches(graph));
  }

  createBranch(graph: string, name: string, from = mainBranch): Promise<Branch> {
    return this.#tracked(() =>
      this.#transactions.run((executor) =>
        new Catalog(executor).createBranch(graph, name, from, this.#clock(), postgresDialect.keepBranch),
      ),
    );
  }

  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch> {
    return this.#tracked(() =>
      this.#transactions.run((executor) =>
        new Catalog(executor).deleteBranch(
          { graph, branch: name },
          this.#clock(),
          postgresDialect.holdBranch,
          made,
        ),
      ),
    );
  }

  commit(graph: string, id: string): Promise<Commit> {
    return this.#reading(async () => (await this.#catalog.log(graph)).get(id));
  }

  commits(
    target: WriteTarget,
    page: { before?: number | undefined; limit?: number } = {},
  ): Promise<Commit[]> {
    return this.#reading(() => history(this.#catalog, postgresDialect, target, page));
  }

  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    return this.#reading(async () => (await this.#catalog.log(graph)).since(seq, limit));
  }

  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    return this.#reading(async () => (await this.#catalog.log(graph)).touchedBy(commit.id));
  }

  async read<T>(
    target: ViewTarget,
    work: (reader: Reader) => Promise<T>,
    options: ReadOptions = {},
  ): Promise<T> {
    const show = (executor: PgExecutor) => (lineage: Lineage) =>
      work(
        new SqlReader(executor, postgresDialect, lineage, {
          nearest: this.#nearest,
          words: this.#words,
          lengths: this.#lengths,
        }),
      );
    const { length = 'short', signal } = options;
    if (length === 'short') {
      return this.#reading(() =>
        onConnection(this.#pool, (executor) => this.#snapshots.run(executor, target, show(executor))),
      );
    }
    const ending = new Ending(options);
    return ending.race(signal, () =>
      this.#reading(() =>
        this.#endable.run(ending, async (executor) => {
          const lineage = await new Catalog(executor).lineage(target);
          return show(executor)(lineage);
        }),
      ),
    );
  }

  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitStamp,
  ): Promise<Written<T>> {
    return this.#tracked(async () => {
      const { result, commit, touched } = await this.#writes.run(target, (executor) => {
        const catalog = new Catalog(executor);
        const context = {
          ...{ executor, dialect: postgresDialect, catalog },
          ...{ clock: this.#clock, ids: this.#ids, guards: this.#guards },
        };
        return writeCommit(context, target, author, work, stamp);
      });
      this.#track(this.#statistics.wrote(touched.nodes.size));
      // Edges may come long after their nodes, and a plan that was made for none of them reads all for each.
      this.#track(this.#edgeStatistics.wrote(touched.edges.length));
      return { result, commit };
    });
  }

  keepRejection(graph: string, rejection: RejectionDraft): Promise<void> {
    return this.#tracked(async () => {
      await this.#rejections.run({ graph }, async (executor) => {
        await keepRejection(
          executor,
          await new Catalog(executor).requireGraph(graph),
          rejection,
          this.#keptRejections,
        );
        return { commit: null };
      });
    });
  }

  rejections(graph: string, page: RejectionPage = {}): Promise<Rejection[]> {
    return this.#reading(async () =>
      listRejections(new PgExecutor(this.#pool), await this.#catalog.requireGraph(graph), page),
    );
  }

  async collect(graph: string, options: CollectOptions): Promise<Collected> {
    const id = await this.#reading(() => this.#catalog.requireGraph(graph));
    const context: CollectContext = {
      dialect: postgresDialect,
      reading: (work) =>
        this.#reading(() =>
          onConnection(this.#pool, (executor) => inSnapshot(executor, () => work(executor))),
        ),
      writing: (work) => this.#tracked(() => this.#transactions.run(work)),
    };
    return collect(context, id, options);
  }

  purge(graph: string, { text, dryRun = false }: PurgeOptions): Promise<Purged> {
    return this.#tracked(async () => {
      const id = await this.#catalog.requireGraph(graph);
      const purged = await this.#transactions.run((executor) =>
        purge({ executor, dialect: postgresDialect, graph: id, secret: text, guards: this.#guards }, dryRun),
      );
      // What an update replaces stays in the file until then.
      if (!dryRun)
        await this.#pool.query(
          'vacuum identity, node_row, observation_row, edge_row, node_property, property_value, rejection, graph_schema',
        );
      return purged;
    });
  }

  check(): Promise<string[]> {
    return this.#reading(() => checkDatabase(this.#pool));
  }

  advice(): Promise<string[]> {
    return this.#reading(async () => [
      ...(await unfinishedDeletions(new PgExecutor(this.#pool))),
      ...(await missingExtensions(this.#pool)),
    ]);
  }

  close(): Promise<void> {
    this.#endable.close();
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.#pool.end());
    return this.#closing;
  }

  #vectors(pgvector: boolean): Vectors {
    const waiting = new PendingTexts();
    return {
      pending: (graph, space, limit) =>
        this.#reading(async () =>
          waiting.take(new PgExecutor(this.#pool), await this.#catalog.requireGraph(graph), space, limit),
        ),
      put: async (graph, space, vectors) => {
        await this.#changingVectors(graph, async (executor, graphId) =>
          putVectors(
            executor,
            graphId,
            await ensureSpace(executor, space),
            vectors,
            pgvector ? vectorColumn : undefined,
          ),
        );
        this.#track(this.#vectorStatistics.wrote(vectors.length));
      },
      spaces: (graph) =>
        this.#reading(async () =>
          spacesOfGraph(new PgExecutor(this.#pool), await this.#catalog.requireGraph(graph)),
        ),
      tend: async (graph, space) => {
        if (pgvector) await this.#tracked(() => this.#indexVectors(graph, space));
      },
      forget: (graph, keep = []) =>
        this.#changingVectors(graph, async (executor, graphId) =>
          forgetVectors(executor, graphId, await findSpaces(executor, keep)),
        ),
    };
  }

  /** What a role may not do is left to the owner of the tables; searching works all the same. */
  async #indexVectors(graph: string, space: VectorSpace): Promise<void> {
    const executor = new PgExecutor(this.#pool);
    try {
      const graphId = await this.#catalog.requireGraph(graph);
      const id = await findSpace(executor, space);
      if (id === undefined || space.dimension > mostDimensions) return;
      while (await isUnfilled(executor, graphId, id)) {
        await this.#transactions.run((transaction) => fillColumn(transaction, graphId, id));
      }
      await makeVectorIndex(this.#pool, id, space.dimension);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }

  /** One at a time in the whole database: whoever comes second finds what the first has embedded. */
  #changingVectors(
    graph: string,
    work: (executor: PgExecutor, graphId: number) => Promise<void>,
  ): Promise<void> {
    return this.#tracked(() =>
      this.#transactions.run(async (executor) => {
        // Not a lock on a table: whoever may only add and delete rows cannot take one.
        await executor.all(`select pg_advisory_xact_lock(hashtext('trellis vectors')) is null as locked`);
        await work(executor, await new Catalog(executor).requireGraph(graph));
      }),
    );
  }

  /** Reads change nothing, so one that lost its connection is simply done again. */
  #reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#tracked(() => retrying(isLostConnection, work));
  }

  /** Gives the database's errors words a user can act on, and lets `close` wait for what is running. */
  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new TrellisError('STOPPED', 'The store is closed.');
    try {
      return await this.#track(work());
    } catch (error) {
      throw describePostgresError(error, this.location);
    }
  }

  #track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }
}

/** Runs a read's statements on one connection, where they need not wait for one another's answers. */
async function onConnection<T>(pool: pg.Pool, work: (executor: PgExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(new PgExecutor(client));
  } catch (error) {
    broken = isLostConnection(error);
    throw error;
  } finally {
    client.release(broken);
  }
}
