import type pg from 'pg';
import { FairSemaphore, type SlotLimits, type SlotRequest } from '../../bounds/fair-semaphore.js';
import type { Author } from '../../model/commit.js';
import type { RejectionDraft } from '../../model/rejection.js';
import { Ending } from '../ending.js';
import type { StoreOptions } from '../options.js';
import type { ReadOptions } from '../read-options.js';
import type { Reader } from '../reader.js';
import { Catalog } from '../sql/catalog.js';
import { type CollectContext, collect } from '../sql/collect/collect.js';
import { unfinishedDeletions } from '../sql/delete-graph.js';
import type { Executor } from '../sql/executor.js';
import type { Lineage } from '../sql/lineage.js';
import { purge } from '../sql/purge/purge.js';
import { TextLengths } from '../sql/query/texts/text-lengths.js';
import { type ReaderOptions, SqlReader } from '../sql/sql-reader.js';
import { SqlStore } from '../sql/sql-store.js';
import { VectorMirrors } from '../sql/vectors/vector-mirrors.js';
import { withoutRegistry } from '../sql/without-registry.js';
import { WordCounts } from '../sql/word-counts.js';
import { writeCommit } from '../sql/write/write-commit.js';
import type { Store } from '../store.js';
import type { ViewTarget, WriteTarget } from '../targets.js';
import type { Collected, CollectOptions, Purged, PurgeOptions } from '../upkeep.js';
import type { Vectors } from '../vectors.js';
import type { Writer } from '../writer.js';
import type { CommitStamp, Written } from '../written.js';
import { BranchWrites } from './branch-writes.js';
import { checkDatabase, missingExtensions } from './check.js';
import { postgresDialect } from './dialect.js';
import { EndableReads } from './endable-reads.js';
import { describePostgresError } from './errors.js';
import { type Extensions, ensureExtensions } from './extensions.js';
import { publicLocation } from './location.js';
import { migrate } from './migrations.js';
import { onConnection } from './on-connection.js';
import { PgExecutor } from './pg-executor.js';
import { nodeTables, PlannerStatistics } from './planner-statistics.js';
import { openPool } from './pool.js';
import { RunningWork } from './running-work.js';
import { inSnapshot, SnapshotReads } from './snapshot-reads.js';
import { Transactions } from './transactions.js';
import { PostgresVectors } from './vectors/postgres-vectors.js';
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

/** Of the connections some are left to writes, and nobody has more than half for what is long, or for what is short. */
function readingRoom(connections: number): SlotLimits {
  const half = Math.max(1, Math.floor(connections / 2));
  return { most: Math.max(1, connections - 2), mostLong: half, mostOfActor: half };
}

/** Graphs in a PostgreSQL database that any number of servers share. */
export class PostgresStore extends SqlStore implements Store {
  readonly kind = 'postgres';
  readonly location: string;
  readonly vectors: Vectors;
  readonly #pool: pg.Pool;
  readonly #work: RunningWork;
  readonly #transactions: Transactions;
  readonly #writes: BranchWrites;
  /** Apart from the writes, so that none of those has to wait for a rejection, or be done again because of one. */
  readonly #rejections: BranchWrites;
  readonly #nodeStatistics: PlannerStatistics;
  readonly #edgeStatistics: PlannerStatistics;
  readonly #snapshots = new SnapshotReads();
  readonly #endable: EndableReads;
  /** Who has connections for reading. */
  readonly #places: FairSemaphore;
  /** What all readers share. */
  readonly #shared: ReaderOptions;

  constructor(location: string, pool: pg.Pool, { vectors: pgvector }: Extensions, options: StoreOptions) {
    super(postgresDialect, options);
    const work = new RunningWork(location);
    const transactions = new Transactions(pool);
    const mirrors = new VectorMirrors();
    this.location = location;
    this.vectors = new PostgresVectors({ pool, transactions, work, pgvector });
    this.#pool = pool;
    this.#work = work;
    this.#transactions = transactions;
    this.#writes = new BranchWrites(transactions);
    this.#rejections = new BranchWrites(transactions);
    this.#nodeStatistics = new PlannerStatistics(pool, nodeTables);
    this.#edgeStatistics = new PlannerStatistics(pool, ['edge_row']);
    this.#endable = new EndableReads(pool);
    this.#places = new FairSemaphore(readingRoom(pool.options.max));
    this.#shared = {
      nearest: pgvector ? new VectorSearch(mirrors) : mirrors,
      words: new WordCounts(),
      lengths: new TextLengths(),
    };
  }

  get waitingWrites(): number {
    return this.#writes.waiting;
  }

  async read<T>(
    target: ViewTarget,
    work: (reader: Reader) => Promise<T>,
    options: ReadOptions = {},
  ): Promise<T> {
    const show = (executor: PgExecutor) => (lineage: Lineage) => {
      const seen = target.registry?.hidden === true ? withoutRegistry(postgresDialect, lineage) : lineage;
      return work(new SqlReader(executor, postgresDialect, seen, this.#shared));
    };
    const { length = 'short', actor = '' } = options;
    const seeker = { actor, graph: target.graph, isLong: length !== 'short' };
    if (length === 'short') {
      return this.#placed(seeker, undefined, () =>
        onConnection(this.#pool, (executor) => this.#snapshots.run(executor, target, show(executor))),
      );
    }
    const ending = new Ending(options);
    return ending.race(options.signal, () =>
      this.#placed(seeker, ending.signal, () =>
        this.#endable.run(ending, async (executor) => {
          const lineage = await new Catalog(executor).lineage(target);
          return show(executor)(lineage);
        }),
      ),
    );
  }

  /** Reads when it is the seeker's turn to have a connection. */
  #placed<T>(seeker: SlotRequest, signal: AbortSignal | undefined, read: () => Promise<T>): Promise<T> {
    return this.#work.read(async () => {
      const leave = await this.#places.acquire(seeker, signal);
      try {
        return await read();
      } finally {
        leave();
      }
    });
  }

  write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitStamp,
  ): Promise<Written<T>> {
    return this.#work.run(async () => {
      const { result, commit, touched } = await this.#writes.run(
        target,
        (executor) => writeCommit(this.writeContext(executor), target, author, work, stamp),
        author.actor,
      );
      this.#work.follow(this.#nodeStatistics.wrote(touched.nodes.size));
      // Edges may come long after their nodes, and a plan that was made for none of them reads all for each.
      this.#work.follow(this.#edgeStatistics.wrote(touched.edges.length));
      return { result, commit };
    });
  }

  override keepRejection(graph: string, rejection: RejectionDraft): Promise<void> {
    return this.#work.run(async () => {
      await this.#rejections.run({ graph }, async (executor) => {
        await this.enterRejection(executor, graph, rejection);
        return { commit: null };
      });
    });
  }

  async collect(graph: string, options: CollectOptions): Promise<Collected> {
    const id = await this.looking((executor) => new Catalog(executor).requireGraph(graph));
    const context: CollectContext = {
      dialect: postgresDialect,
      reading: (work) =>
        this.#work.read(() =>
          onConnection(this.#pool, (executor) => inSnapshot(executor, () => work(executor))),
        ),
      writing: (work) => this.changing(work),
    };
    return collect(context, id, options);
  }

  purge(graph: string, { text, dryRun = false }: PurgeOptions): Promise<Purged> {
    return this.#work.run(async () => {
      const id = await new Catalog(new PgExecutor(this.#pool)).requireGraph(graph);
      const purged = await this.#transactions.run((executor) =>
        purge({ executor, dialect: postgresDialect, graph: id, secret: text, guards: this.guards }, dryRun),
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
    return this.#work.read(() => checkDatabase(this.#pool));
  }

  advice(): Promise<string[]> {
    return this.looking(async (executor) => [
      ...(await unfinishedDeletions(executor)),
      ...(await missingExtensions(this.#pool)),
    ]);
  }

  close(): Promise<void> {
    this.#endable.close();
    return this.#work.close(() => this.#pool.end());
  }

  protected override looking<T>(look: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#work.read(() => look(new PgExecutor(this.#pool)));
  }

  protected override changing<T>(change: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#work.run(() => this.#transactions.run(change));
  }
}
