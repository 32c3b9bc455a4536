import type { SourceProblem } from '../../language/source-problem.js';
import type { Json } from '../../model/json.js';
import type { ValueType } from '../../model/value-type.js';
import type {
  AggregateFunction,
  ComparisonOperator,
  Hop,
  NodeVariable,
  PropertyOperand,
  WholeRow,
} from '../../store/row-query.js';
import type { QueryDeclaration } from '../query-ast.js';

/*
 * A query with all names resolved and all types checked; only the values of its parameters are missing. It has the form
 * that a store runs (`store/row-query.ts`), with constants in place of values.
 */

export interface CheckedQuery {
  readonly declaration: QueryDeclaration;
  readonly name: string;
  readonly parameters: ReadonlyMap<string, ValueType>;
  readonly body: CheckedRead | CheckedMutation;
  readonly warnings: readonly SourceProblem[];
}

/** A value known before anything is read. */
export type Constant =
  | { readonly kind: 'literal'; readonly value: Json; readonly type: ValueType }
  | { readonly kind: 'parameter'; readonly name: string; readonly type: ValueType }
  | { readonly kind: 'now'; readonly type: ValueType };

export type CheckedOperand = PropertyOperand | Constant | ComputedOperand;

export interface CheckedTruth {
  readonly kind: 'truth';
  readonly condition: CheckedCondition;
  readonly type: ValueType;
}

export type ComputedOperand =
  | CheckedTruth
  | {
      readonly kind: 'block-aggregate';
      readonly fn: AggregateFunction;
      readonly of: CheckedOperand | null;
      readonly block: CheckedBlock;
      readonly type: ValueType | null;
    };

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
      /** A vector, or a text that becomes one before anything is read. */
      readonly to: Constant;
      /** The model that makes a vector of the text; null: the configured one. */
      readonly model: string | null;
    }
  | { readonly kind: 'bm25'; readonly operand: PropertyOperand; readonly text: Constant }
  | { readonly kind: 'rrf'; readonly arms: readonly [CheckedScore, CheckedScore]; readonly k: Constant };

export type CheckedExpression =
  | CheckedOperand
  | WholeRow
  | {
      readonly kind: 'aggregate';
      readonly fn: AggregateFunction;
      readonly of: CheckedOperand | { readonly kind: 'node' | 'edge'; readonly variable: string };
    }
  | CheckedScore;

export interface CheckedRead {
  readonly kind: 'read';
  readonly match: CheckedBlock;
  readonly columns: readonly { readonly name: string; readonly expression: CheckedExpression }[];
  readonly grouped: boolean;
  readonly order: readonly { readonly expression: CheckedExpression; readonly descending: boolean }[];
  readonly limit: Constant | null;
}

export interface CheckedMutation {
  readonly kind: 'mutation';
  readonly statements: readonly CheckedStatement[];
}

/** Null removes a property; a condition is one on constants. */
export type AssignedValue = Constant | CheckedTruth | null;

export type CheckedAssignments = ReadonlyMap<string, AssignedValue>;

export type CheckedStatement =
  | {
      readonly kind: 'insert-node';
      readonly at: number;
      readonly type: string;
      /** Without a schema, where it is the id of the node. */
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
      readonly block: CheckedBlock;
      readonly variable: string;
      readonly values: CheckedAssignments;
    };
