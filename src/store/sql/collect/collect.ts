import { chunksOf, writeInChunks } from '../../../bounds/chunks.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import type { ProgressListener } from '../../../model/progress.js';
import type { CollectOptions, CollectResult } from '../../maintenance.js';
import { type CommitPosition, commitPosition } from '../commits/ancestry.js';
import type { Dialect } from '../dialect.js';
import type { Executor, Fragment, SqlRow } from '../executor.js';
import type { VersionedTable } from '../lineage.js';
import { removeRowsFromIndex } from '../properties/property-index.js';
import { batches, readNumber, readOptionalNumber, readText } from '../rows.js';
import { emptySql, raw, sql } from '../sql.js';
import { deleteRowVectors } from '../vectors/text-vectors.js';
import { RetainedStates } from './retained-states.js';
import { type RowRange, rowRanges } from './row-ranges.js';

/** Rows or commits read at a time: few enough that a statement is short. */
const batchSize = 2_000;
/** Rows that one transaction deletes: few enough that a writer hardly waits, and that its commit is short. */
const deletesPerTransaction = 500;
/** What is forgotten of a collected commit; the other kinds of touches say when a node was last touched. */
const forgottenKinds = ['edge', 'edge_kept', 'node_kept'];

const tableContents = { node_row: 'nodes', observation_row: 'observations', edge_row: 'edges' } as const;
const versionedTables = ['node_row', 'observation_row', 'edge_row'] as const;

export interface CollectContext {
  readonly dialect: Dialect;
  read<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /** Runs a write transaction in its turn. */
  transact<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
}

/**
 * Drops what no branch, recent commit or merge needs, in batches. Commits are marked first, so that whatever can be
 * read is complete even after an interruption; the next run continues. If there is nothing to drop, all commits stay
 * readable: a graph with unreadable ones cannot be copied with its history.
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
  const commits = (await run.hasOldVersions()) ? await run.markCommits(before) : undefined;
  await run.forgetTouches();
  if (commits === undefined) return { commits: 0, nodes: 0, observations: 0, edges: 0 };
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
  /** The rows that a batch counts, in the order of their numbers. */
  readonly #numbered: Fragment;
  readonly #slice = new TimeSlice();

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
    this.#numbered = context.dialect.numberedRows(graph);
  }

  async hasOldVersions(): Promise<boolean> {
    if ((await this.#unseenSchemas()).length > 0 || (await this.#shadowsAfter(undefined)).length > 0)
      return true;
    const read = (statement: Fragment) => this.#read(statement);
    for (const table of versionedTables) {
      this.#progress?.begin(`looking for old ${tableContents[table]}`, await this.#countRows(table));
      for await (const range of rowRanges(read, table, this.#numbered, batchSize)) {
        if ((await this.#unseenRows(table, range)).length > 0) return true;
        this.#progress?.advance(batchSize);
      }
    }
    return false;
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
      await this.#forgetTouchesOf(places.filter(isGone), emptySql);
      const seen = places.filter((place) => !isGone(place));
      const kinds = this.#context.dialect.inList('t.kind', 'text', forgottenKinds);
      await this.#forgetTouchesOf(seen, sql`and ${kinds}`);
    }
  }

  /** An invisible branch hides nothing. */
  async forgetShadows(): Promise<void> {
    if (this.#dryRun) return;
    for (let last: SqlRow | undefined; ; ) {
      const page = await this.#shadowsAfter(last);
      last = page.at(-1);
      if (last === undefined) return;
      const list = this.#context.dialect.tuples(
        { kind: 'text', row: 'integer', branch: 'integer' },
        page.map(shadowKey),
      );
      await this.#change(page, (executor) =>
        executor.run(
          sql`delete from shadow where graph = ${this.#graph} and (kind, row, branch) in (select kind, row, branch from ${list} t)`,
        ),
      );
    }
  }

  /** Of invisible branches. */
  async #shadowsAfter(last: SqlRow | undefined): Promise<SqlRow[]> {
    if (this.#gone.size === 0) return [];
    const branches = this.#context.dialect.inList('branch', 'integer', [...this.#gone]);
    const [kind = '', row = 0, branch = 0] = last === undefined ? [] : shadowKey(last);
    return this.#read(
      sql`select kind, row, branch from shadow where graph = ${this.#graph} and ${branches}
        and (kind, row, branch) > (${kind}, ${row}, ${branch}) order by kind, row, branch limit ${raw(deletesPerTransaction)}`,
    );
  }

  async dropSchemas(): Promise<void> {
    const unseen = await this.#unseenSchemas();
    const seqs = unseen.map(({ seq }) => seq);
    const list = this.#context.dialect.inList('seq', 'integer', seqs);
    await this.#change(unseen, (executor) =>
      executor.run(sql`delete from graph_schema where graph = ${this.#graph} and ${list}`),
    );
  }

  async #unseenSchemas(): Promise<CommitPosition[]> {
    const versions = (
      await this.#read(sql`select branch, seq from graph_schema where graph = ${this.#graph} order by seq`)
    ).map(commitPosition);
    return versions.filter(({ branch, seq }) => {
      const next = versions.find((later) => later.branch === branch && later.seq > seq);
      return this.#views.isUnreachableRow(branch, seq, next?.seq ?? null);
    });
  }

  async dropRows(table: VersionedTable): Promise<number> {
    this.#progress?.begin(`looking at ${tableContents[table]}`, await this.#countRows(table));
    const read = (statement: Fragment) => this.#read(statement);
    let dropped = 0;
    for await (const range of rowRanges(read, table, this.#numbered, batchSize)) {
      const unseen = await this.#unseenRows(table, range);
      dropped += unseen.length;
      for (const some of chunksOf(unseen, deletesPerTransaction)) {
        await this.#change(some, (executor) =>
          writeInChunks(some, (rows) => this.#drop(executor, table, rows)),
        );
      }
      this.#progress?.advance(batchSize);
    }
    return dropped;
  }

  /** Counting all rows takes long, so it is done only for somebody who looks on. */
  async #countRows(table: VersionedTable): Promise<number | undefined> {
    if (this.#progress === undefined) return undefined;
    const [row] = await this.#read(sql`select count(*) as rows from ${raw(table)} where ${this.#numbered}`);
    return row === undefined ? 0 : readNumber(row, 'rows');
  }

  async #unseenRows(table: VersionedTable, { after, before }: RowRange): Promise<number[]> {
    const deleted = this.#context.dialect.inList('r.branch', 'integer', this.#views.deletedBranches);
    const rows = await this.#read(
      sql`select r.row, r.branch, r.born, r.died from ${raw(table)} r where r.graph = ${this.#graph}
        and r.row > ${after} and r.row < ${before} and (r.died is not null or ${deleted})`,
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
    if (table === 'node_row') await removeRowsFromIndex(context, rows);
    const list = dialect.inList('row', 'integer', rows);
    executor.run(sql`delete from shadow where graph = ${this.#graph} and kind = ${table} and ${list}`);
    executor.run(sql`delete from ${raw(table)} where graph = ${this.#graph} and ${list}`);
  }

  /** One commit may have touched very much, so this counts in touches, not in commits. */
  async #forgetTouchesOf(places: readonly CommitPosition[], which: Fragment): Promise<void> {
    if (this.#dryRun || places.length === 0) return;
    const { dialect } = this.#context;
    const list = dialect.tuples(
      { branch: 'integer', seq: 'integer' },
      places.map(({ branch, seq }) => [branch, seq]),
    );
    for (;;) {
      const page = await this.#read(
        sql`select t.branch, t.seq, t.kind, t.ref from ${list} w cross join touched t
          where t.graph = ${this.#graph} and t.branch = w.branch and t.seq = w.seq ${which} limit ${raw(deletesPerTransaction)}`,
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

  /** A graph with nothing to collect needs many reads and no transaction, so others have turns here. */
  async #read(statement: Fragment): Promise<SqlRow[]> {
    if (this.#slice.isOver) await this.#slice.yieldToOthers();
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

function shadowKey(row: SqlRow): [kind: string, row: number, branch: number] {
  return [readText(row, 'kind'), readNumber(row, 'row'), readNumber(row, 'branch')];
}
