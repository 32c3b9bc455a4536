import type { NodeHits } from '../read-results.js';
import type { Executor, Fragment, SqlParam, SqlRow, SqlValue } from './executor.js';
import type { Lineage, VersionedTable } from './lineage.js';
import type { QueryDialect } from './query/query-dialect.js';

export type ColumnType = 'integer' | 'text';

/** What statements about one graph need. */
export interface GraphContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly graph: number;
}

/** What reads of one lineage need. */
export interface ReadContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly lineage: Lineage;
}

/** What the two databases say differently. */
export interface Dialect {
  /** Put after a `select` of branch `b` to keep others from writing to it until the transaction ends. */
  readonly lockForWrite: string;
  /** Put after a `select` of branch `b` to keep others from deleting it, though not from writing, until the transaction ends. */
  readonly lockAgainstDelete: string;
  /** Put after a `select` of branch `b` to keep others from writing to it, forking from it and deleting it. */
  readonly lockExclusively: string;
  /** `expression in (…values…)` with the whole list as one parameter. */
  inList(expression: string, type: ColumnType, values: readonly SqlValue[]): Fragment;
  /** `expression in (select …)`, with the select run first and once. */
  inSelect<P>(expression: string, select: Fragment<P>): Fragment<P | SqlParam>;
  /** A derived table with these columns, made of the tuples, as one parameter; goes after `from`, wants an alias. */
  tuples(columns: Readonly<Record<string, ColumnType>>, tuples: readonly (readonly SqlValue[])[]): Fragment;
  /** Columns that a write selects beside its branch, in graph `g`, for `numbers`; they begin with a comma. */
  readonly sequenceColumns: string;
  /** What numbers the rows of a write, whose branch has this row. */
  sequences(executor: Executor, branch: SqlRow): SequenceAllocator;
  readonly names: NameIndex;
  readonly textSearch: TextSearch;
  /** Columns beside a row's own that make its text searchable, if the database keeps them there. */
  readonly documentColumns: readonly string[];
  /** Their values for a text. */
  documentValues(graph: number, text: string): readonly SqlParam[];
  /** Lets go of what makes rows searchable that are about to be dropped. */
  removeFromTextIndex(executor: Executor, table: VersionedTable, rows: readonly number[]): Promise<void>;
  /** Makes rows searchable again whose text was changed in place, after `removeFromTextIndex`. */
  addToTextIndex(executor: Executor, table: VersionedTable, rows: readonly number[]): Promise<void>;
  /** The function that says where in a text another one begins; 0 if it is not there. */
  readonly positionFunction: 'instr' | 'strpos';
  /** Put after an `exists (…)` that has to hold, to have it asked row by row. */
  readonly existsSuffix: string;
  readonly queryDialect: QueryDialect;
}

/** Gives out the next node ids and seqs of a graph to a write: increasing, and never given to two things that last. */
export interface SequenceAllocator {
  /** At once, where the store knows them. */
  take(counter: 'node' | 'seq', count: number): number[] | Promise<number[]>;
}

/** How a database finds identities by their names. */
export interface NameIndex {
  /** The key of the table of identities. */
  readonly key: readonly string[];
  /** Columns beside an identity's own that the key needs, if the name itself is not part of it. */
  readonly columns: readonly string[];
  /** The values of `columns` for a name. */
  values(name: string): readonly SqlParam[];
  /** The condition that identity `i` has one of these names. */
  matchesAny(names: readonly string[]): Fragment;
}

/** How a database finds nodes by their text; see the Reader methods of the same names. */
export interface TextSearch {
  nodesContaining(
    executor: Executor,
    lineage: Lineage,
    needle: string,
    limit: number | undefined,
  ): Promise<NodeHits>;
  /** How many texts of the graph have each stem, whether or not the lineage sees them. */
  countTextsByStem(
    executor: Executor,
    lineage: Lineage,
    stems: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The rows `r` of a table that the lineage sees, that have the stems and meet the condition.
   */
  rowsWithStems(executor: Executor, lineage: Lineage, query: StemRowQuery): Promise<SqlRow[]>;
}

/** Which rows to look for. */
interface StemRowQuery {
  readonly table: 'node_row' | 'observation_row';
  readonly columns: string;
  readonly stems: readonly string[];
  /** Whether a row has to have all of the stems. */
  readonly match: 'all' | 'any';
  /** A condition on row `r`. */
  readonly where: Fragment;
  readonly limit: number;
}
