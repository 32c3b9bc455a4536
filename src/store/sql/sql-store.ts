import { type Clock, type Ids, systemClock, ulids } from '../../model/clock.js';
import type { Commit } from '../../model/commit.js';
import { type Branch, type GraphRecord, mainBranch } from '../../model/graph-record.js';
import { limits } from '../../model/limits.js';
import type { Rejection, RejectionDraft } from '../../model/rejection.js';
import type { TouchedByCommit } from '../answers.js';
import type { StoreOptions } from '../options.js';
import type { RejectionPage } from '../questions.js';
import type { ReadOptions } from '../read-options.js';
import type { Reader } from '../reader.js';
import type { ViewTarget, WriteTarget } from '../targets.js';
import type { RowWriter } from '../writer.js';
import { Catalog } from './catalog.js';
import { history } from './commits/history.js';
import { removeGraph, removeGraphRows, unemptiedGraphs } from './delete-graph.js';
import type { Dialect } from './dialect.js';
import type { Executor } from './executor.js';
import { keepRejection, listRejections } from './rejections.js';
import { Rehearsal } from './write/rehearsal.js';
import { SchemaGuards } from './write/schema-guards.js';
import type { WriteContext } from './write/write-commit.js';
import { WriteSchema } from './write/write-schema.js';

/**
 * What every store in a SQL database does alike: graphs, branches, commits and rejections. How the database is looked at
 * and changed, each store says for itself.
 */
export abstract class SqlStore {
  readonly capabilities = { graphs: true, branches: true, rejections: true, schemas: true };
  protected readonly guards: SchemaGuards;
  readonly #dialect: Dialect;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #keptRejections: number;

  constructor(dialect: Dialect, options: StoreOptions) {
    this.guards = new SchemaGuards(options.guards);
    this.#dialect = dialect;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? ulids();
    this.#keptRejections = options.keptRejections ?? limits.keptRejections;
  }

  /** Looks at what is stored now. */
  protected abstract looking<T>(look: (executor: Executor) => Promise<T>): Promise<T>;

  /** Makes a change that is no commit, in a transaction. */
  protected abstract changing<T>(change: (executor: Executor) => Promise<T>): Promise<T>;

  abstract read<T>(
    target: ViewTarget,
    work: (reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T>;

  rehearse<T>(
    target: WriteTarget,
    work: (writer: RowWriter, reader: Reader) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T> {
    const { guards } = this;
    return this.read(
      target,
      async (reader) => {
        const guard = await guards.of(await reader.schema());
        return work(new Rehearsal(reader, new WriteSchema({ guard, guards })), reader);
      },
      { ...options, length: 'linear' },
    );
  }

  graphs(): Promise<GraphRecord[]> {
    return this.looking((executor) => new Catalog(executor).graphs());
  }

  createGraph(name: string): Promise<GraphRecord> {
    return this.changing((executor) => new Catalog(executor).createGraph(name, this.#clock()));
  }

  renameGraph(name: string, to: string): Promise<GraphRecord> {
    return this.changing((executor) => new Catalog(executor).renameGraph(name, to));
  }

  async deleteGraph(name: string): Promise<void> {
    await this.changing((executor) => removeGraph(executor, name, this.#clock()));
    for (const { id } of await this.changing(unemptiedGraphs)) {
      while (await this.changing((executor) => this.removeRows(executor, id)));
    }
  }

  branches(graph: string): Promise<Branch[]> {
    return this.looking((executor) => new Catalog(executor).branches(graph));
  }

  createBranch(graph: string, name: string, from = mainBranch): Promise<Branch> {
    const { keepBranch } = this.#dialect;
    return this.changing((executor) =>
      new Catalog(executor).createBranch({ graph, branch: from }, name, this.#clock(), keepBranch),
    );
  }

  deleteBranch(graph: string, name: string, made?: Branch): Promise<Branch> {
    const { holdBranch } = this.#dialect;
    return this.changing((executor) =>
      new Catalog(executor).deleteBranch({ graph, branch: name }, this.#clock(), holdBranch, made),
    );
  }

  commit(graph: string, id: string): Promise<Commit> {
    return this.looking(async (executor) => (await new Catalog(executor).log(graph)).get(id));
  }

  commits(
    target: WriteTarget,
    page: { before?: number | undefined; limit?: number } = {},
  ): Promise<Commit[]> {
    return this.looking((executor) => history(new Catalog(executor), this.#dialect, target, page));
  }

  commitsSince(graph: string, seq: number, limit: number): Promise<Commit[]> {
    return this.looking(async (executor) => (await new Catalog(executor).log(graph)).since(seq, limit));
  }

  touchedBy(graph: string, commit: Commit): Promise<TouchedByCommit> {
    return this.looking(async (executor) => (await new Catalog(executor).log(graph)).touchedBy(commit.id));
  }

  keepRejection(graph: string, rejection: RejectionDraft): Promise<void> {
    return this.changing((executor) => this.enterRejection(executor, graph, rejection));
  }

  rejections(graph: string, page: RejectionPage = {}): Promise<Rejection[]> {
    return this.looking(async (executor) =>
      listRejections(executor, await new Catalog(executor).requireGraph(graph), page),
    );
  }

  /** What a write needs, inside a transaction. */
  protected writeContext(executor: Executor): WriteContext {
    return {
      executor,
      dialect: this.#dialect,
      catalog: new Catalog(executor),
      clock: this.#clock,
      ids: this.#ids,
      guards: this.guards,
    };
  }

  /** Keeps a rejection, inside a transaction. */
  protected async enterRejection(
    executor: Executor,
    graph: string,
    rejection: RejectionDraft,
  ): Promise<void> {
    const id = await new Catalog(executor).requireGraph(graph);
    await keepRejection(executor, id, rejection, this.#keptRejections);
  }

  /** Removes some rows of a deleted graph, inside a transaction; answers whether there may be more. */
  protected removeRows(executor: Executor, graph: number): Promise<boolean> {
    return removeGraphRows(executor, this.#dialect, graph, this.#clock());
  }
}
