import type { SourceProblem } from '../../language/source-problem.js';
import type { Json } from '../../model/json.js';
import type { ValueType } from '../../model/value-type.js';
import type {
  ComparisonOperator,
  Hop,
  NodeVariable,
  PropertyOperand,
  WholeRow,
} from '../../store/row-query.js';
import type { QueryDeclaration } from '../query-ast.js';

/*
 * A query whose every name is resolved and every type known to fit; only the values of its parameters are missing. It has
 * the form of what a store runs (`store/row-query.ts`), with constants in the place of values.
 */

export interface CheckedQuery {
  readonly declaration: QueryDeclaration;
  readonly name: string;
  readonly parameters: ReadonlyMap<string, ValueType>;
  readonly body: CheckedRead | CheckedMutation;
  /** What is odd about it, but not wrong. */
  readonly warnings: readonly SourceProblem[];
}

/** A value that is known before anything is read. */
export type Constant =
  | { readonly kind: 'literal'; readonly value: Json; readonly type: ValueType }
  | { readonly kind: 'parameter'; readonly name: string; readonly type: ValueType }
  | { readonly kind: 'now'; readonly type: ValueType };

export type CheckedOperand = PropertyOperand | Constant;

export interface CheckedBlock {
  readonly nodes: readonly NodeVariable[];
  readonly hops: readonly Hop[];
  readonly conditions: readonly CheckedCondition[];
}

export type CheckedCondition =
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: CheckedOperand;
      readonly right: CheckedOperand;
    }
  | {
      readonly kind: 'same';
      readonly of: 'node' | 'edge';
      readonly left: string;
      readonly right: string;
    }
  | { readonly kind: 'is-null'; readonly operand: CheckedOperand; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly CheckedCondition[] }
  | { readonly kind: 'not'; readonly condition: CheckedCondition }
  | { readonly kind: 'exists'; readonly block: CheckedBlock; readonly negated: boolean }
  | CheckedTextCondition;

export interface CheckedTextCondition {
  readonly kind: 'search' | 'match_text' | 'fuzzy';
  readonly operand: PropertyOperand;
  readonly text: Constant;
  readonly edits: Constant | null;
}

export type CheckedScore =
  | {
      readonly kind: 'nearest';
      readonly operand: PropertyOperand;
      /** A vector, or a text that is turned into one before anything is read. */
      readonly to: Constant;
    }
  | { readonly kind: 'bm25'; readonly operand: PropertyOperand; readonly text: Constant }
  | { readonly kind: 'rrf'; readonly arms: readonly [CheckedScore, CheckedScore]; readonly k: Constant };

export type CheckedExpression =
  | CheckedOperand
  | WholeRow
  | { readonly kind: 'condition'; readonly condition: CheckedTextCondition }
  | {
      readonly kind: 'aggregate';
      readonly fn: 'count' | 'sum' | 'avg' | 'min' | 'max';
      readonly of: CheckedOperand | { readonly kind: 'node' | 'edge'; readonly variable: string };
    }
  | CheckedScore;

export interface CheckedRead {
  readonly kind: 'read';
  readonly match: CheckedBlock;
  readonly columns: readonly { readonly name: string; readonly expression: CheckedExpression }[];
  readonly grouped: boolean;
  readonly order: readonly { readonly expression: CheckedExpression; readonly descending: boolean }[];
  readonly limit: number | null;
}

export interface CheckedMutation {
  readonly kind: 'mutation';
  readonly statements: readonly CheckedStatement[];
}

/** What a statement sets: null takes a property away. */
export type CheckedAssignments = ReadonlyMap<string, Constant | null>;

export type CheckedStatement =
  | {
      readonly kind: 'insert-node';
      readonly at: number;
      readonly type: string;
      /** On a graph without a schema, where it is the id of the node. */
      readonly name: Constant | null;
      readonly values: CheckedAssignments;
    }
  | {
      readonly kind: 'insert-edge';
      readonly at: number;
      readonly type: string;
      readonly from: Constant;
      readonly to: Constant;
      readonly values: CheckedAssignments;
    }
  | {
      readonly kind: 'update' | 'delete';
      readonly at: number;
      readonly of: 'node' | 'edge';
      readonly type: string;
      /** What has to hold of the row. */
      readonly block: CheckedBlock;
      /** The variable of the block that means it. */
      readonly variable: string;
      /** Of a delete, nothing. */
      readonly values: CheckedAssignments;
    };
