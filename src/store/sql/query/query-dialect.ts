import type { Json } from '../../../model/json.js';
import type { TextCondition } from '../../row-query.js';
import type { Executor, Fragment, SqlParam } from '../executor.js';
import type { Comparable } from './comparable.js';
import type { ParameterSlot, QueryFragment } from './parameter-slots.js';

/** A JSON value in SQL. Each of its forms is null where there is none. */
export interface JsonSource<P = SqlParam | ParameterSlot> {
  /** As the database works on it. */
  readonly value: Fragment<P>;
  /** As text in JSON; `null` for a JSON null. */
  readonly json: Fragment<P>;
  /** What a scalar says, without the quotes of a string. */
  readonly scalar: Fragment<P>;
  /** In the database's own words. */
  readonly kind: Fragment<P>;
}

/** What the databases say differently about the values in rows. */
export interface QueryDialect {
  /** Put after a text to have it compared by code point. */
  readonly byCodePoint: string;
  /** Put at the end of an inner select, so that what it answers is worked out once and not wherever it is used. */
  readonly optimizationFence: string;
  /** Neither true nor false. */
  readonly unknown: string;
  /** The member of an object that a column holds as text; the name is data. */
  member(column: string, name: string): JsonSource<SqlParam>;
  /** The JSON that an expression gives as text. */
  document(text: QueryFragment): JsonSource;
  /** A text as JSON writes it. */
  quoted(text: QueryFragment): QueryFragment;
  /** What stands in a `from` for the members of a list; of what is no list, none. */
  members(list: JsonSource, alias: string): QueryFragment;
  /** One of those. */
  listMember(alias: string): JsonSource;
  isList(source: JsonSource): QueryFragment;
  /** 0: a boolean, 1: a number, 2: a string, 3: a list or an object; null: nothing. */
  rank(source: JsonSource): QueryFragment;
  /** What the value is compared and ordered by; null if it is not of that kind. A schema has made sure of a `known` one. */
  key(source: JsonSource, comparable: Comparable, known: boolean): QueryFragment;
  /**
   * What is summed of a value; null if it is no number. A schema has made sure of a `known` one, which is asked of rows that
   * have passed all conditions and so are of the right type: of others a database may refuse to read it. `numeric` is for
   * integers that no float holds, and for what is known only row by row.
   */
  summand(source: JsonSource, comparable: 'number' | 'numeric', known: boolean): QueryFragment;
  /** The key of a value that is given, and fits. */
  constant(value: Json, comparable: Comparable): Fragment;
  /** That a key, which is not `any` or `list`, is among these values, which fit. */
  isOneOf(key: QueryFragment, comparable: Comparable, values: readonly Json[]): QueryFragment;
  /** What floats are summed by: exact digits, or floats that the database adds with care. */
  readonly sumComparable: 'numeric' | 'number';
  /**
   * The sum of such keys, as a float; null if there are none, or it is too large for one. Among large ones may be integers
   * that no float holds.
   */
  sum(key: QueryFragment, areLarge: boolean): QueryFragment;
  /** A key in a form that every binding reads. */
  readable(key: QueryFragment, comparable: Comparable): QueryFragment;
  contains(text: QueryFragment, part: QueryFragment): QueryFragment;
  startsWith(text: QueryFragment, start: QueryFragment): QueryFragment;
  /** The texts that a select answers as `text`, in its order, as a list in JSON. */
  textList(select: QueryFragment): QueryFragment;
  /** That a value, in JSON, has the words; null where only the process can tell, and has to look beforehand. */
  textCondition(json: QueryFragment, condition: TextCondition): QueryFragment | null;
  /** A cheap condition that every value, in JSON, meets which may have of each list one of these runs of ASCII letters. */
  mayContain(json: QueryFragment, runs: readonly (readonly string[])[]): QueryFragment;
  /** The cosine distance of a list of numbers from a vector; null if it cannot be told. */
  cosineDistance(source: JsonSource, vector: readonly number[]): QueryFragment;
  /** Readies the transaction for a query, and lets go of that again. */
  begin(executor: Executor, timeLimitMs: number | undefined): void;
  end(executor: Executor): void;
  /** Whether an error says that the time was up. */
  isTimeout(error: unknown): boolean;
}
