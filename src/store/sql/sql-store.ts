import { type Clock, type Ids, systemClock, ulids } from '../../model/clock.js';
import type { Author, Commit } from '../../model/commit.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import { type Branch, type GraphRecord, mainBranch } from '../../model/graph-record.js';
import { limits } from '../../model/limits.js';
import type { Rejection, RejectionDraft } from '../../model/rejection.js';
import type { KnownRows, NodeDraft } from '../drafts.js';
import type { GraphListener } from '../graph-change.js';
import type { ReadTarget, WriteTarget } from '../graph-targets.js';
import type { CollectOptions, CollectResult } from '../maintenance.js';
import type { ReadOptions } from '../read-options.js';
import type { CommitQuery, RejectionPage } from '../read-requests.js';
import type { BranchCommits, TouchedByCommit } from '../read-results.js';
import type { Reader } from '../reader.js';
import type { StagedNodes } from '../staged-nodes.js';
import { type StoreOptions, warnOnStderr } from '../store-options.js';
import type { CommitOverrides, PlannedWrite, PlannedWriteResult, WriteResult } from '../write-result.js';
import type { CompiledGraphSchema } from '../write-validator.js';
import type { RowWriter, Writer } from '../writer.js';
import { pendingDeletions, removeGraph, removeGraphRows } from './delete-graph.js';
import type { Dialect } from './dialect.js';
import type { Executor } from './executor.js';
import { GraphCatalog } from './graph-catalog.js';
import { GraphWatchers, type WatchOthers } from './graph-watchers.js';
import { insertRejection, listRejections } from './rejection-log.js';
import { Rehearsal } from './write/rehearsal.js';
import type { WriteContext } from './write/write-commit.js';
import { WriteSchema } from './write/write-schema.js';

const defaultPageSize = 100;

/** What stores in a SQL database share: graphs, branches, commits and rejections. */
export abstract class SqlStore {
  readonly capabilities = { graphs: true, branches: true, rejections: true, schemas: true };
  protected readonly compileGraphSchema: (source: string) => Promise<CompiledGraphSchema>;
  protected readonly watchers: GraphWatchers;
  readonly #dialect: Dialect;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #keptRejections: number;

  constructor(dialect: Dialect, options: StoreOptions, watchOthers: WatchOthers) {
    const { warn = warnOnStderr } = options;
    this.watchers = new GraphWatchers({
      load: (graph) =>
        // A graph that is replaced in between would lend its branches to the one before.
        this.readSnapshot(async (executor) => {
          const catalog = new GraphCatalog(executor);
          return { id: await catalog.requireGraph(graph), branches: await catalog.branches(graph) };
        }),
      watchOthers,
      report: (error) => warn(`a change could not be reported: ${reasonOf(error)}`),
    });
    this.compileGraphSchema = options.compileGraphSchema ?? cannotCompile;
    this.#dialect = dialect;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? ulids();
    this.#keptRejections = options.keptRejections ?? limits.keptRejections;
  }

  protected abstract readDatabase<T>(look: (executor: Executor) => Promise<T>): Promise<T>;

  /** Runs several statements on one state of the database. */
  protected readSnapshot<T>(look: (executor: Executor) => Promise<T>): Promise<T> {
    return this.readDatabase(look);
  }

  protected abstract transact<T>(change: (executor: Executor) => Promise<T>): Promise<T>;

  /** Tells other processes that a graph has changed, if the database does not. */
  protected notifyOthers(_graph: string): void {}

  abstract read<T>(
    target: ReadTarget,
    work: (reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T>;

  abstract write<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
    stamp?: CommitOverrides,
  ): Promise<WriteResult<T>>;

  async writePlanned<T>(
    target: WriteTarget,
    author: Author,
    { check, work }: PlannedWrite<T>,
    stamp?: CommitOverrides,
  ): Promise<PlannedWriteResult<T>> {
    const { result, commit } = await this.write(
      target,
      author,
      async (writer) => ({ isMoved: await check(writer), result: await work(writer) }),
      stamp,
    );
    return { ...result, commit };
  }

  rehearse<T>(
    target: WriteTarget,
    work: (writer: RowWriter, reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T> {
    return this.read(
      target,
      async (reader) => {
        const schema = new WriteSchema(this.compileGraphSchema);
        await schema.use(await reader.schema());
        return work(new Rehearsal(reader, schema), reader);
      },
      { length: 'linear', ...options },
    );
  }

  async stageNodes(
    _target: WriteTarget,
    _drafts: readonly NodeDraft[],
    _known: KnownRows,
  ): Promise<StagedNodes | undefined> {
    return undefined;
  }

  watch(graph: string, listener: GraphListener): Promise<() => void> {
    return this.watchers.watch(graph, listener);
  }

  graphs(): Promise<GraphRecord[]> {
    return this.#readCatalog((catalog) => catalog.graphs());
  }

  createGraph(name: string): Promise<GraphRecord> {
    return this.#changeCatalog(name, (catalog) => catalog.createGraph(name, this.#clock()));
  }

  renameGraph(name: string, to: string): Promise<GraphRecord> {
    return this.#changeCatalog(name, (catalog) => catalog.renameGraph(name, to));
  }

  async deleteGraph(name: string): Promise<void> {
    await this.#change(name, (executor) => removeGraph(executor, name, this.#clock()));
    for (const { id } of await this.transact(pendingDeletions)) {
      while (await this.transact((executor) => this.deleteGraphRows(executor, id)));
    }
  }

  branches(graph: string): Promise<Branch[]> {
    return this.#readCatalog((catalog) => catalog.branches(graph));
  }

  createBranch(graph: string, name: string, from = mainBranch): Promise<Branch> {
    const { lockAgainstDelete } = this.#dialect;
    return this.#changeCatalog(graph, (catalog) =>
      catalog.createBranch({ graph, branch: from }, name, this.#clock(), lockAgainstDelete),
    );
  }

  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch> {
    const { lockExclusively } = this.#dialect;
    return this.#changeCatalog(graph, (catalog) =>
      catalog.deleteBranch({ graph, branch: name }, this.#clock(), lockExclusively, made),
    );
  }

  commit(graph: string, id: string): Promise<Commit> {
    return this.#readCatalog(async (catalog) => (await catalog.log(graph)).get(id));
  }

  commits(target: WriteTarget, { limit = defaultPageSize, ...query }: CommitQuery = {}): Promise<Commit[]> {
    return this.#readCatalog(async (catalog) => {
      const { branch } = await catalog.branch(target);
      return (await catalog.log(target.graph)).history(this.#dialect, branch, { ...query, limit });
    });
  }

  countCommits(target: WriteTarget): Promise<number> {
    return this.#readCatalog(async (catalog) => {
      const { branch } = await catalog.branch(target);
      return (await catalog.log(target.graph)).count(this.#dialect, branch);
    });
  }

  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    return this.#readCatalog(async (catalog) => (await catalog.log(graph)).since(seq, limit));
  }

  commitsOnBranch(target: WriteTarget, from: number, limit: number): Promise<BranchCommits> {
    return this.#readCatalog(async (catalog) => {
      const { graphId, branch } = await catalog.branch(target);
      const { levels } = await catalog.headLineage(graphId, branch);
      const log = await catalog.log(target.graph);
      return { graph: graphId, branch, commits: await log.onLineage(this.#dialect, levels, from, limit) };
    });
  }

  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    return this.#readCatalog(async (catalog) => (await catalog.log(graph)).touchedBy(commit.id));
  }

  keepRejection(graph: string, rejection: RejectionDraft): Promise<void> {
    return this.transact((executor) => this.recordRejection(executor, graph, rejection));
  }

  rejections(graph: string, page: RejectionPage = {}): Promise<Rejection[]> {
    return this.readDatabase(async (executor) =>
      listRejections(executor, await new GraphCatalog(executor).requireGraph(graph), page),
    );
  }

  async collect(graph: string, options: CollectOptions): Promise<CollectResult> {
    const { collect } = await import('./collect/collect.js');
    const id = await this.#readCatalog((catalog) => catalog.requireGraph(graph));
    const context = {
      dialect: this.#dialect,
      read: <T>(work: (executor: Executor) => Promise<T>) => this.readSnapshot(work),
      transact: <T>(work: (executor: Executor) => Promise<T>) => this.maintain(work),
    };
    return collect(context, id, options);
  }

  /** A transaction that changes nothing that anybody can see. */
  protected maintain<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    return this.transact(work);
  }

  #readCatalog<T>(look: (catalog: GraphCatalog) => Promise<T>): Promise<T> {
    return this.readDatabase((executor) => look(new GraphCatalog(executor)));
  }

  #changeCatalog<T>(graph: string, change: (catalog: GraphCatalog) => Promise<T>): Promise<T> {
    return this.#change(graph, (executor) => change(new GraphCatalog(executor)));
  }

  /** A change of a graph that those who watch it hear of. */
  async #change<T>(graph: string, change: (executor: Executor) => Promise<T>): Promise<T> {
    const result = await this.transact(change);
    this.notifyOthers(graph);
    await this.watchers.refresh(graph);
    return result;
  }

  protected writeContext(executor: Executor): WriteContext {
    return {
      executor,
      dialect: this.#dialect,
      catalog: new GraphCatalog(executor),
      clock: this.#clock,
      ids: this.#ids,
      compileGraphSchema: this.compileGraphSchema,
    };
  }

  protected async recordRejection(
    executor: Executor,
    graph: string,
    rejection: RejectionDraft,
  ): Promise<void> {
    const id = await new GraphCatalog(executor).requireGraph(graph);
    await insertRejection(executor, id, rejection, this.#keptRejections);
  }

  protected deleteGraphRows(executor: Executor, graph: number): Promise<boolean> {
    return removeGraphRows(executor, this.#dialect, graph, this.#clock());
  }
}

async function cannotCompile(): Promise<never> {
  throw new TrellisError(
    'CAPABILITY_MISSING',
    'The graph has a schema, and this store was opened without the means to validate writes against it.',
    { hint: 'Open the store with the option compileGraphSchema.' },
  );
}
