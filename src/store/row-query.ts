import type { Json } from '../model/json.js';
import type { ValueType } from '../model/value-type.js';

/*
 * A query in the form a store runs: checked, every name resolved, every parameter given. The query language makes it, and
 * the stores turn it into SQL. Values are those of JSON, as properties hold them.
 */

/** Which rows to answer, in which order. */
export interface RowQuery {
  readonly match: RowQueryBlock;
  readonly columns: readonly RowQueryColumn[];
  /** Whether a column is an aggregate: rows are then grouped by the columns that are not. */
  readonly grouped: boolean;
  readonly order: readonly OrderKey[];
  readonly limit: number | null;
}

/** What has to hold together. A nested block sees the variables of the ones around it. */
export interface RowQueryBlock {
  /** The variables that this block adds. */
  readonly nodes: readonly NodeVariable[];
  readonly hops: readonly Hop[];
  readonly conditions: readonly Condition[];
}

/** A node of any of these types, or of any type at all. Ids are unique within a query; an interface has become its types. */
export interface NodeVariable {
  readonly id: string;
  readonly types: readonly string[] | null;
}

/**
 * That a way of edges of one type leads from one variable to another. Without an edge variable each destination is found
 * once for each source, breadth first, and the start is not entered again; with one, every edge counts.
 */
export interface Hop {
  readonly from: string;
  readonly to: string;
  readonly edge: string;
  /** `out`: the edges lead from `from` to `to`; `in`: the other way; `both`: either. */
  readonly direction: 'out' | 'in' | 'both';
  readonly min: number;
  readonly max: number;
  /** The id of the variable that means the edge; only for a single hop. */
  readonly variable: string | null;
}

/**
 * Unknown, as for null, is never true. An `and` of nothing holds and an `or` of nothing does not; a `not` stands only
 * before a condition that is neither.
 */
export type Condition =
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: Operand;
      readonly right: Operand;
    }
  /** That two variables mean the same node, or the same edge. */
  | {
      readonly kind: 'same';
      readonly of: 'node' | 'edge';
      readonly left: string;
      readonly right: string;
    }
  | { readonly kind: 'is-null'; readonly operand: Operand; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'exists'; readonly block: RowQueryBlock; readonly negated: boolean }
  | TextCondition;

/** `contains`: of a list that it has the value, of a string that it has the substring; `in`: the other way round, of lists. */
export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'starts_with' | 'in';

/** That the words of a text occur: all of them, one after the other, or almost. */
export interface TextCondition {
  readonly kind: 'search' | 'match_text' | 'fuzzy';
  readonly operand: PropertyOperand;
  readonly text: string;
  /** Of `fuzzy`: how many letters of a word may differ; null: by its length. */
  readonly edits: number | null;
}

export interface PropertyOperand {
  readonly kind: 'property';
  readonly variable: string;
  readonly of: 'node' | 'edge';
  readonly property: string;
  /**
   * Where it stands: among the properties, or what every node has (`id`, `name`, `summary`, `tags`, `observations`), or
   * the ends of an edge (`from`, `to`: the ids of its nodes) and its `key`, which tells it from others of the same ends.
   * `provenance`: a field of the stamp; without a type, and where there is no such field, the property of that name.
   */
  readonly place: 'props' | 'row' | 'provenance';
  /** Null on a graph without a schema: whatever the row holds, compared only with values of its own kind. */
  readonly type: ValueType | null;
}

export type Operand =
  | PropertyOperand
  | { readonly kind: 'value'; readonly value: Json; readonly type: ValueType | null };

/** What a column or an order key is made of. */
export type RowQueryExpression =
  | Operand
  | WholeRow
  | { readonly kind: 'condition'; readonly condition: TextCondition }
  | {
      readonly kind: 'aggregate';
      readonly fn: 'count' | 'sum' | 'avg' | 'min' | 'max';
      /** A node or an edge is counted. */
      readonly of: Operand | { readonly kind: 'node' | 'edge'; readonly variable: string };
    }
  | Score;

/** The node as an object with `@id`, or the edge with its ends, and its properties. */
export interface WholeRow {
  readonly kind: 'node' | 'edge';
  readonly variable: string;
  /** Properties to leave out: blobs and vectors. */
  readonly hidden: readonly string[];
  /** Fields of the stamp to show: those whose names no property takes. */
  readonly stamped: readonly string[];
}

/** How well a row fits; the search functions of the query language. */
export type Score =
  | { readonly kind: 'nearest'; readonly operand: PropertyOperand; readonly vector: readonly number[] }
  | { readonly kind: 'bm25'; readonly operand: PropertyOperand; readonly text: string }
  | { readonly kind: 'rrf'; readonly arms: readonly [Score, Score]; readonly k: number };

export interface RowQueryColumn {
  readonly name: string;
  readonly expression: RowQueryExpression;
}

export interface OrderKey {
  readonly expression: RowQueryExpression;
  readonly descending: boolean;
}

/** A column's value in an answer, as JSON. */
export type Cell = Json;
