import type { Json } from '../model/json.js';
import type { ValueType } from '../model/value-type.js';

/* A query in the form that stores run: checked, every name resolved, every parameter given. Values are JSON. */

export interface RowQuery {
  readonly match: RowQueryBlock;
  readonly columns: readonly RowQueryColumn[];
  /** Whether a column is an aggregate: rows are then grouped by the other columns. */
  readonly grouped: boolean;
  readonly order: readonly OrderKey[];
  readonly limit: number | null;
}

/** Conditions that must hold together. A nested block sees the variables of the blocks around it. */
export interface RowQueryBlock {
  readonly nodes: readonly NodeVariable[];
  readonly hops: readonly Hop[];
  readonly conditions: readonly Condition[];
}

/** A node of one of these types; null: of any. Ids are unique within a query; an interface has become its types. */
export interface NodeVariable {
  readonly id: string;
  readonly types: readonly string[] | null;
}

/**
 * A path of edges of one type. Without an edge variable each destination is found once per source, breadth first, and
 * the start is entered again only by an edge from it to itself, at the first hop; with one, every edge counts.
 */
export interface Hop {
  readonly from: string;
  readonly to: string;
  readonly edge: string;
  readonly direction: 'out' | 'in' | 'both';
  readonly min: number;
  readonly max: number;
  /** The id of the edge variable; only for a single hop. */
  readonly variable: string | null;
}

/** Unknown, as for null, is never true. An empty `and` holds, an empty `or` does not; `not` turns true and false around. */
export type Condition =
  | ComparisonCondition
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

export interface ComparisonCondition {
  readonly kind: 'compare';
  readonly operator: ComparisonOperator;
  readonly left: Operand;
  readonly right: Operand;
}

/** `contains`: a list has the value, or a string the substring; `in`: a list on the right has the value. */
export type ComparisonOperator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'starts_with' | 'in';

/** The words of a text occur: all of them, as a sequence, or almost. */
export interface TextCondition {
  readonly kind: 'search' | 'match_text' | 'fuzzy';
  readonly operand: PropertyOperand;
  readonly text: string;
  /** For `fuzzy`: how many letters of a word may differ; null: by its length. */
  readonly edits: number | null;
}

export interface PropertyOperand {
  readonly kind: 'property';
  readonly variable: string;
  readonly of: 'node' | 'edge';
  readonly property: string;
  /**
   * `row`: what every node has (`id`, `name`, `summary`, `tags`, `observations`), or the `from`, `to` (ids) and `key`
   * of an edge, its `id` (its key, or its ends as a JSON list) or its `identity` (its ends and its key as a JSON list).
   * `provenance`: a field of the stamp; without a type, and if there is no such field, the property of that
   * name.
   */
  readonly place: 'props' | 'row' | 'provenance';
  /** Null without a schema: whatever the row holds, compared only with values of the same kind. */
  readonly type: ValueType | null;
}

export type Operand = PropertyOperand | ValueOperand | TruthOperand | BlockAggregate;

export interface ValueOperand {
  readonly kind: 'value';
  readonly value: Json;
  readonly type: ValueType | null;
}

/** Whether a condition holds; null if that is unknown. */
export interface TruthOperand {
  readonly kind: 'truth';
  readonly condition: Condition;
  readonly type: ValueType;
}

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max';

/** An aggregate over the matches of a block, for each outer row; over none, `count` and `sum` are 0 and the others null. */
export interface BlockAggregate {
  readonly kind: 'block-aggregate';
  readonly fn: AggregateFunction;
  /** Null for `count`, which counts matches. */
  readonly of: Operand | null;
  readonly block: RowQueryBlock;
  readonly type: ValueType | null;
}

export type RowQueryExpression =
  | Operand
  | WholeRow
  | {
      readonly kind: 'aggregate';
      readonly fn: AggregateFunction;
      readonly of: Operand | { readonly kind: 'node' | 'edge'; readonly variable: string };
    }
  | Score;

/** The node as an object with `@id`, or the edge with its ends, and its properties. */
export interface WholeRow {
  readonly kind: 'node' | 'edge';
  readonly variable: string;
  readonly hidden: readonly string[];
  /** Fields of the stamp to show: those whose names no property takes. */
  readonly stamped: readonly string[];
}

/** How well a row fits: the search functions of the query language. */
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

export type Cell = Json;
