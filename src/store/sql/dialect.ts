import type { NodeHits } from '../read-results.js';
import type { Executor, Fragment, SqlParam, SqlRow, SqlValue } from './executor.js';
import type { Lineage, VersionedTable } from './lineage.js';
import type { QueryDialect } from './query/query-dialect.js';

export type ColumnType = 'integer' | 'text';

export interface GraphContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly graph: number;
}

export interface ReadContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;
}

export interface Dialect {
  /** Suffix of a `select` of branch `b` that keeps others from writing to it until the transaction ends. */
  readonly lockForWrite: string;
  /** The same for keeping others from deleting it, but not from writing. */
  readonly lockAgainstDelete: string;
  /** The same for keeping others from writing to it, forking and deleting it. */
  readonly lockExclusively: string;
  /** `expression in (…values…)` with the whole list as one parameter. */
  inList(expression: string, type: ColumnType, values: readonly SqlValue[]): Fragment;
  /** `expression in (select …)`, with the select run first and once. */
  inSelect<P>(expression: string, select: Fragment<P>): Fragment<P | SqlParam>;
  /** A derived table of the tuples; it needs an alias. */
  tuples(columns: Readonly<Record<string, ColumnType>>, tuples: readonly (readonly SqlValue[])[]): Fragment;
  /**
   * The rows to walk through in the order of their ids: those of the graph, or of all graphs if they are numbered
   * together, since others would have to be skipped one by one.
   */
  numberedRows(graph: number): Fragment;
  /** Columns that a write selects beside its branch `b` for `sequences`; they begin with a comma. */
  readonly sequenceColumns: string;
  /**
   * @param branch The row of the branch, locked.
   * @param writes How many writes of the transaction will use them.
   */
  sequences(executor: Executor, branch: SqlRow, writes: number): SequenceAllocator;
  readonly names: NameIndex;
  readonly textSearch: TextSearch;
  /** Inserts those of the rows that are not there yet, in order. */
  insertMissing(
    executor: Executor,
    table: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows: readonly (readonly SqlValue[])[],
  ): void;
  /** The ids of the rows that the last insert, of so many, has made; undefined if the database does not tell. */
  insertedRows(executor: Executor, count: number): Promise<readonly number[] | undefined> | undefined;
  /** Columns of a row that make its text searchable, if the database keeps them there. */
  readonly documentColumns: readonly string[];
  documentValues(graph: number, text: string): readonly SqlParam[];
  /** For rows that are about to be dropped or changed. */
  removeFromTextIndex(executor: Executor, table: VersionedTable, rows: readonly number[]): Promise<void>;
  /** For rows whose text was changed in place, after `removeFromTextIndex`. */
  addToTextIndex(executor: Executor, table: VersionedTable, rows: readonly number[]): Promise<void>;
  /** Finds a text within another; 0 if it is not there. */
  readonly positionFunction: 'instr' | 'strpos';
  /** Suffix of an `exists (…)` that must hold, to have it checked row by row. */
  readonly existsSuffix: string;
  readonly queryDialect: QueryDialect;
}

/** Gives out the next node ids and seqs of a graph: increasing, and never twice. */
export interface SequenceAllocator {
  /** Synchronous where the store knows them. */
  take(counter: 'node' | 'seq', count: number): number[] | Promise<number[]>;
}

export interface NameIndex {
  readonly key: readonly string[];
  readonly columns: readonly string[];
  values(name: string): readonly SqlParam[];
  matchesAny(names: readonly string[]): Fragment;
}

/** See the Reader methods of the same names. */
export interface TextSearch {
  nodesContaining(
    executor: Executor,
    lineage: Lineage,
    needle: string,
    limit: number | undefined,
  ): Promise<NodeHits>;
  /** Counts the texts of the graph, visible or not. */
  countTextsByStem(
    executor: Executor,
    lineage: Lineage,
    stems: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** The visible rows `r` that have the stems and meet the condition. */
  rowsWithStems(executor: Executor, lineage: Lineage, query: StemRowQuery): Promise<SqlRow[]>;
}

interface StemRowQuery {
  readonly table: 'node_row' | 'observation_row';
  readonly columns: string;
  readonly stems: readonly string[];
  readonly match: 'all' | 'any';
  readonly where: Fragment;
  readonly limit: number;
}
