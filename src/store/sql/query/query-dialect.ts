import type { Json } from '../../../model/json.js';
import type { Hop, TextCondition } from '../../row-query.js';
import type { Executor, Fragment, SqlParam } from '../executor.js';
import type { Comparable } from './comparable.js';
import type { ParameterSlot, QueryFragment } from './parameter-slots.js';

/** A JSON value in SQL; each form is null if there is no value. */
export interface JsonSource<P = SqlParam | ParameterSlot> {
  readonly value: Fragment<P>;
  /** As JSON text; `null` for a JSON null. */
  readonly json: Fragment<P>;
  /** A scalar as text, without the quotes of a string. */
  readonly scalar: Fragment<P>;
  readonly kind: Fragment<P>;
}

export interface EdgeCountsSql {
  readonly item: QueryFragment;
  readonly node: QueryFragment;
  readonly count: QueryFragment;
}

export interface QueryDialect {
  readonly byCodePoint: string;
  /** Suffix of an inner select that keeps it from being inlined and computed several times. */
  readonly optimizationFence: string;
  readonly unknown: string;
  /** The member of an object in a text column; the name is data. */
  member(column: string, name: string): JsonSource<SqlParam>;
  document(text: QueryFragment): JsonSource;
  quoted(text: QueryFragment): QueryFragment;
  /** A `from` item for the members of a list; none if it is not a list. */
  members(list: JsonSource, alias: string): QueryFragment;
  listMember(alias: string): JsonSource;
  isList(source: JsonSource): QueryFragment;
  /** 0: boolean, 1: number, 2: string, 3: list or object; null: nothing. */
  rank(source: JsonSource): QueryFragment;
  /** What a value is compared and ordered by; null if it is not of that kind. `known`: the schema guarantees the kind. */
  key(source: JsonSource, comparable: Comparable, known: boolean): QueryFragment;
  /**
   * What is summed of a value; null if it is not a number. `known`: a schema guarantees it; only for rows that passed
   * all conditions, since a database may refuse to read others. `numeric` is for integers beyond floats, and without a
   * schema.
   */
  summand(source: JsonSource, comparable: 'number' | 'numeric', known: boolean): QueryFragment;
  /** A condition as the key of a boolean. */
  truth(condition: QueryFragment): QueryFragment;
  /** A computed key of a number as the key of `numeric`. */
  exactNumber(key: QueryFragment, comparable: Comparable): QueryFragment;
  constant(value: Json, comparable: Comparable): Fragment;
  /** Whether a key (not `any` or `list`) is one of these values. */
  isOneOf(key: QueryFragment, comparable: Comparable, values: readonly Json[]): QueryFragment;
  /** Floats are summed by exact digits, or as floats if the database adds them with care. */
  readonly sumComparable: 'numeric' | 'number';
  /** The sum of such keys as a float; null if there are none, or it is too large. Large keys may be integers beyond floats. */
  sum(key: QueryFragment, areLarge: boolean): QueryFragment;
  readable(key: QueryFragment, comparable: Comparable): QueryFragment;
  contains(text: QueryFragment, part: QueryFragment): QueryFragment;
  startsWith(text: QueryFragment, start: QueryFragment): QueryFragment;
  /** The column `text` of a select, in its order, as a JSON list. */
  textList(select: QueryFragment): QueryFragment;
  /** Whether JSON text contains the words; null if only the process can tell, before the query runs. */
  textCondition(json: QueryFragment, condition: TextCondition): QueryFragment | null;
  /** A cheap necessary condition: of each list, one of these ASCII substrings may occur in the JSON text. */
  mayContain(json: QueryFragment, runs: readonly (readonly string[])[]): QueryFragment;
  /** A `from` item with the nodes that edges in memory lead to, as `value`; null where none are ever in memory. */
  readonly reachedNodes:
    | ((
        edges: string,
        near: string,
        hop: Pick<Hop, 'direction' | 'min' | 'max'>,
        alias: string,
      ) => QueryFragment)
    | null;
  /** A `from` item with each node of edges in memory and how many of the nodes in a JSON list it leads to; null as above. */
  readonly edgeCounts:
    | ((edges: string, direction: 'out' | 'in', nodes: QueryFragment, alias: string) => EdgeCountsSql)
    | null;
  /** Whether all edges in memory begin, or end, at nodes of a JSON list; null as above. */
  readonly edgesLieWithin:
    | ((edges: string, direction: 'out' | 'in', nodes: QueryFragment) => QueryFragment)
    | null;
  cosineDistance(source: JsonSource, vector: readonly number[]): QueryFragment;
  /** Sets up the transaction for a query; `end` undoes it. */
  begin(executor: Executor, timeLimitMs: number | undefined): void;
  end(executor: Executor): void;
  isTimeout(error: unknown): boolean;
}
