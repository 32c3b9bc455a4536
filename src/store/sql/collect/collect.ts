import type { ProgressListener } from '../../../model/progress.js';
import type { CollectOptions, CollectResult } from '../../maintenance.js';
import { type CommitPosition, commitPosition } from '../commits/ancestry.js';
import type { Dialect } from '../dialect.js';
import type { Executor, Fragment, SqlRow } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import { removeRowsFromIndex } from '../properties/property-index.js';
import { batches, readNumber, readOptionalNumber, readText } from '../rows.js';
import { raw, sql } from '../sql.js';
import { deleteRowVectors } from '../vectors/text-vectors.js';
import { RetainedStates } from './retained-states.js';

/** Rows or commits per transaction: few enough that a writer hardly waits. */
const batchSize = 2_000;

const tableContents = { node_row: 'nodes', observation_row: 'observations', edge_row: 'edges' } as const;

export interface CollectContext {
  readonly dialect: Dialect;
  read<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /** Runs a write transaction in its turn. */
  transact<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
}

/**
 * Drops what no branch, recent commit or merge needs, in batches. Commits are marked first, so that whatever can be
 * read is complete even after an interruption; the next run continues.
 */
export async function collect(
  context: CollectContext,
  graph: number,
  { before, ...options }: CollectOptions,
): Promise<CollectResult> {
  const views = await context.read((executor) =>
    RetainedStates.load({ executor, dialect: context.dialect, graph }, before),
  );
  const run = new CollectionRun(context, graph, views, options);
  const commits = await run.markCommits(before);
  await run.forgetTouches();
  await run.forgetShadows();
  await run.dropSchemas();
  return {
    commits,
    nodes: await run.dropRows('node_row'),
    observations: await run.dropRows('observation_row'),
    edges: await run.dropRows('edge_row'),
  };
}

class CollectionRun {
  readonly #context: CollectContext;
  readonly #graph: number;
  readonly #views: RetainedStates;
  /** Branches of which nothing is visible. */
  readonly #gone: ReadonlySet<number>;
  readonly #dryRun: boolean;
  readonly #progress: ProgressListener | undefined;

  constructor(
    context: CollectContext,
    graph: number,
    views: RetainedStates,
    { dryRun = false, progress }: Pick<CollectOptions, 'dryRun' | 'progress'>,
  ) {
    this.#context = context;
    this.#graph = graph;
    this.#views = views;
    this.#gone = new Set(views.unreachableBranches);
    this.#dryRun = dryRun;
    this.#progress = progress;
  }

  async markCommits(before: number): Promise<number> {
    this.#progress?.begin('looking at commits');
    let marked = 0;
    const readAfter = (after: number) =>
      this.#read(
        sql`select seq, branch from commit_log where graph = ${this.#graph} and seq > ${after} and collected = 0
          and time < ${before} order by seq limit ${raw(batchSize)}`,
      );
    for await (const page of batches(readAfter, 'seq', batchSize)) {
      const unseen = page.map(commitPosition).filter((place) => this.#views.isUnreachableCommit(place));
      marked += unseen.length;
      this.#progress?.advance(page.length);
      const seqs = unseen.map(({ seq }) => seq);
      const list = this.#context.dialect.inList('seq', 'integer', seqs);
      await this.#change(unseen, (executor) =>
        executor.run(sql`update commit_log set collected = 1 where graph = ${this.#graph} and ${list}`),
      );
    }
    return marked;
  }

  /**
   * Comparisons of histories ask what a collected commit touched until all of them share it. When a node was last
   * touched is asked for longer: as long as its branch is visible.
   */
  async forgetTouches(): Promise<void> {
    const readAfter = (after: number) =>
      this.#read(
        sql`select seq, branch from commit_log where graph = ${this.#graph} and seq > ${after} and collected = 1
          order by seq limit ${raw(batchSize)}`,
      );
    for await (const page of batches(readAfter, 'seq', batchSize)) {
      const places = page.map(commitPosition).filter((place) => this.#isForgettable(place));
      const isGone = ({ branch }: CommitPosition) => this.#gone.has(branch);
      await this.#forgetTouchesOf(places.filter(isGone), '');
      const seen = places.filter((place) => !isGone(place));
      await this.#forgetTouchesOf(seen, "and t.kind not in ('node', 'node_end')");
    }
  }

  /** An invisible branch hides nothing. */
  async forgetShadows(): Promise<void> {
    if (this.#dryRun || this.#gone.size === 0) return;
    const branches = this.#context.dialect.inList('branch', 'integer', [...this.#gone]);
    for (;;) {
      const page = await this.#read(
        sql`select kind, row, branch from shadow where graph = ${this.#graph} and ${branches} limit ${raw(batchSize)}`,
      );
      if (page.length === 0) return;
      const list = this.#context.dialect.tuples(
        { kind: 'text', row: 'integer', branch: 'integer' },
        page.map((row) => [readText(row, 'kind'), readNumber(row, 'row'), readNumber(row, 'branch')]),
      );
      await this.#change(page, (executor) =>
        executor.run(
          sql`delete from shadow where graph = ${this.#graph} and (kind, row, branch) in (select kind, row, branch from ${list} t)`,
        ),
      );
    }
  }

  async dropSchemas(): Promise<void> {
    const versions = (
      await this.#read(sql`select branch, seq from graph_schema where graph = ${this.#graph} order by seq`)
    ).map(commitPosition);
    const unseen = versions.filter(({ branch, seq }) => {
      const next = versions.find((later) => later.branch === branch && later.seq > seq);
      return this.#views.isUnreachableRow(branch, seq, next?.seq ?? null);
    });
    const seqs = unseen.map(({ seq }) => seq);
    const list = this.#context.dialect.inList('seq', 'integer', seqs);
    await this.#change(unseen, (executor) =>
      executor.run(sql`delete from graph_schema where graph = ${this.#graph} and ${list}`),
    );
  }

  async dropRows(table: VersionedTable): Promise<number> {
    const [totals] = await this.#read(
      sql`select count(*) as rows, coalesce(max(row), 0) as newest from ${raw(table)} where graph = ${this.#graph}`,
    );
    if (totals === undefined) return 0;
    // The newest row stays, whatever it is: see sql-tables.ts.
    const newest = readNumber(totals, 'newest');
    this.#progress?.begin(`looking at ${tableContents[table]}`, readNumber(totals, 'rows'));
    let dropped = 0;
    for (let from = 0; from < newest; ) {
      const upTo = await this.#endOfBatch(table, from, newest);
      const unseen = await this.#unseenRows(table, from, Math.min(upTo, newest - 1));
      dropped += unseen.length;
      await this.#change(unseen, (executor) => this.#drop(executor, table, unseen));
      this.#progress?.advance(batchSize);
      from = upTo;
    }
    return dropped;
  }

  /** Row ids have gaps: other graphs' rows, and the ranges that nodes of a cluster take them from. */
  async #endOfBatch(table: VersionedTable, after: number, newest: number): Promise<number> {
    const [row] = await this.#read(
      sql`select row from ${raw(table)} where graph = ${this.#graph} and row > ${after} order by row
        limit 1 offset ${raw(batchSize - 1)}`,
    );
    return row === undefined ? newest : readNumber(row, 'row');
  }

  async #unseenRows(table: VersionedTable, after: number, upTo: number): Promise<number[]> {
    const deleted = this.#context.dialect.inList('r.branch', 'integer', this.#views.deletedBranches);
    const rows = await this.#read(
      sql`select r.row, r.branch, r.born, r.died from ${raw(table)} r where r.graph = ${this.#graph}
        and r.row > ${after} and r.row <= ${upTo} and (r.died is not null or ${deleted})`,
    );
    const unseen = rows
      .filter((row) =>
        this.#views.isUnreachableRow(
          readNumber(row, 'branch'),
          readNumber(row, 'born'),
          readOptionalNumber(row, 'died'),
        ),
      )
      .map((row) => readNumber(row, 'row'));
    if (table !== 'edge_row') return unseen;
    const needed = await this.#rowsThatTell(unseen);
    return unseen.filter((row) => !needed.has(row));
  }

  /** Comparisons of histories identify an edge by one of its rows. */
  async #rowsThatTell(rows: readonly number[]): Promise<Set<number>> {
    if (rows.length === 0) return new Set();
    const list = this.#context.dialect.inList('t.ref', 'integer', rows);
    const touches = await this.#read(
      sql`select t.ref, t.branch, t.seq from touched t
        where t.graph = ${this.#graph} and t.kind in ('edge', 'edge_kept') and ${list}`,
    );
    const needed = touches.filter((row) => !this.#isForgettable(commitPosition(row)));
    return new Set(needed.map((row) => readNumber(row, 'ref')));
  }

  /** Whether nobody will ask what a commit touched, except for when that was. */
  #isForgettable(place: CommitPosition): boolean {
    return (
      this.#gone.has(place.branch) || (this.#views.isUnreachableCommit(place) && this.#views.isCommon(place))
    );
  }

  async #drop(executor: Executor, table: VersionedTable, rows: readonly number[]): Promise<void> {
    const { dialect } = this.#context;
    const context = { executor, dialect, graph: this.#graph };
    await dialect.removeFromTextIndex(executor, table, rows);
    deleteRowVectors(context, table, rows);
    if (table === 'node_row') removeRowsFromIndex(context, rows);
    const list = dialect.inList('row', 'integer', rows);
    executor.run(sql`delete from shadow where graph = ${this.#graph} and kind = ${table} and ${list}`);
    executor.run(sql`delete from ${raw(table)} where graph = ${this.#graph} and ${list}`);
  }

  /** One commit may have touched very much, so this counts in touches, not in commits. */
  async #forgetTouchesOf(places: readonly CommitPosition[], which: string): Promise<void> {
    if (this.#dryRun || places.length === 0) return;
    const { dialect } = this.#context;
    const list = dialect.tuples(
      { branch: 'integer', seq: 'integer' },
      places.map(({ branch, seq }) => [branch, seq]),
    );
    for (;;) {
      const page = await this.#read(
        sql`select t.branch, t.seq, t.kind, t.ref from ${list} w cross join touched t
          where t.graph = ${this.#graph} and t.branch = w.branch and t.seq = w.seq ${raw(which)} limit ${raw(batchSize)}`,
      );
      if (page.length === 0) return;
      const touches = dialect.tuples(
        { branch: 'integer', seq: 'integer', kind: 'text', ref: 'integer' },
        page.map((row) => [
          ...[
            readNumber(row, 'branch'),
            readNumber(row, 'seq'),
            readText(row, 'kind'),
            readNumber(row, 'ref'),
          ],
        ]),
      );
      await this.#change(page, (executor) =>
        executor.run(
          sql`delete from touched as t where t.graph = ${this.#graph}
            and (t.branch, t.seq, t.kind, t.ref) in (select branch, seq, kind, ref from ${touches} w)`,
        ),
      );
    }
  }

  #read(statement: Fragment): Promise<SqlRow[]> {
    return this.#context.read((executor) => executor.all(statement));
  }

  /** Does nothing if there are no items, or in a dry run. */
  async #change(
    things: readonly unknown[],
    work: (executor: Executor) => void | Promise<void>,
  ): Promise<void> {
    if (things.length > 0 && !this.#dryRun) await this.#context.transact(async (executor) => work(executor));
  }
}
