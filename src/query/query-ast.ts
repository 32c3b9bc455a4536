import type { Literal, Name } from '../language/literal.js';
import type { Json } from '../model/json.js';
import type { ValueType } from '../model/value-type.js';
import type { AggregateFunction } from '../store/row-query.js';

/* The syntax tree of a `.gq` file, made by the grammar; `at` is an offset into the text. */

export interface QueryFile {
  readonly queries: readonly QueryDeclaration[];
}

/** `query name($parameter: Type) @annotation { … }`, or `explain query …`. */
export interface QueryDeclaration {
  readonly at: number;
  readonly name: string;
  /** Whether the answer is the plan. */
  readonly explain: boolean;
  readonly parameters: readonly ParameterDeclaration[];
  readonly annotations: readonly QueryAnnotation[];
  readonly body: ReadBody | MutationBody;
}

export interface ParameterDeclaration {
  readonly at: number;
  readonly name: string;
  readonly type: ValueType;
}

/** `@name(value, key: value)`. */
export interface QueryAnnotation {
  readonly at: number;
  readonly name: string;
  readonly value: Json | undefined;
  readonly named: readonly { readonly name: string; readonly value: Json }[];
}

export interface ReadBody {
  readonly kind: 'read';
  readonly match: readonly Clause[];
  readonly projections: readonly Projection[];
  readonly order: readonly OrderTerm[];
  /** A number or a parameter. */
  readonly limit: QueryExpression | null;
}

export interface MutationBody {
  readonly kind: 'mutation';
  readonly statements: readonly MutationStatement[];
}

export type Clause = NodeBinding | Traversal | QueryExpression;

/** `$p: Person { name: "Ann" }`. */
export interface NodeBinding {
  readonly kind: 'binding';
  readonly variable: Name;
  readonly type: Name;
  readonly properties: readonly Assignment[];
}

/** `name: value`. */
export interface Assignment {
  readonly at: number;
  readonly name: string;
  readonly value: QueryExpression;
}

/** `$p $w: worksAt $c`, `$p <knows>{1,3} $q`. */
export interface Traversal {
  readonly kind: 'traversal';
  readonly source: Name;
  readonly variable: Name | null;
  readonly edge: Name;
  readonly undirected: boolean;
  readonly hops: HopRange | null;
  readonly destination: Name;
}

export interface HopRange {
  readonly at: number;
  readonly min: number;
  readonly max: number;
}

export const operators = ['>=', '<=', '!=', '>', '<', '=', 'contains', 'starts_with', 'in'] as const;

export type Operator = (typeof operators)[number];

export type QueryExpression =
  | PropertyExpression
  | SystemField
  | VariableExpression
  | BareName
  | Literal
  | NullExpression
  | CallExpression
  | BooleanExpression
  | AggregateBlock;

export type BooleanExpression =
  | ComparisonExpression
  | {
      readonly kind: 'is-null';
      readonly at: number;
      readonly operand: QueryExpression;
      readonly negated: boolean;
    }
  | { readonly kind: 'and' | 'or'; readonly at: number; readonly predicates: readonly QueryExpression[] }
  | { readonly kind: 'not'; readonly at: number; readonly predicate: QueryExpression }
  | TestedBlock;

export interface ComparisonExpression {
  readonly kind: 'compare';
  readonly at: number;
  readonly operator: Operator;
  readonly left: QueryExpression;
  readonly right: QueryExpression;
}

/** `exists { … }`, and `not { … }`, which is its negation. */
export interface TestedBlock {
  readonly kind: 'block';
  readonly at: number;
  readonly negated: boolean;
  readonly clauses: readonly Clause[];
}

/** `count { … }`, `sum($p.size) { … }`. */
export interface AggregateBlock {
  readonly kind: 'block-aggregate';
  readonly at: number;
  readonly fn: AggregateFunction;
  /** Null for `count`. */
  readonly of: QueryExpression | null;
  readonly clauses: readonly Clause[];
}

/** `null`, which removes a property. */
export interface NullExpression {
  readonly kind: 'null';
  readonly at: number;
}

/** `$p.name`. */
export interface PropertyExpression {
  readonly kind: 'property';
  readonly at: number;
  readonly variable: string;
  readonly property: string;
}

/** `$p.@id`; without a variable, of the row of a mutation. */
export interface SystemField {
  readonly kind: 'system';
  readonly at: number;
  readonly variable: string | null;
  readonly field: '@id' | '@src' | '@dst';
}

/** `$p`: a variable or a parameter. */
export interface VariableExpression {
  readonly kind: 'variable';
  readonly at: number;
  readonly name: string;
}

/** `name`: a column of the result, or, in a mutation, a property of the row. */
export interface BareName {
  readonly kind: 'name';
  readonly at: number;
  readonly name: string;
}

/** `count($p)`, `bm25($p.note, "x")`, `now()`. */
export interface CallExpression {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly arguments: readonly QueryExpression[];
}

/** `expression as alias`. */
export interface Projection {
  readonly at: number;
  readonly expression: QueryExpression;
  readonly alias: string | null;
}

export interface OrderTerm {
  readonly at: number;
  readonly expression: QueryExpression;
  readonly direction: 'asc' | 'desc' | null;
}

export type MutationStatement =
  | {
      readonly kind: 'insert';
      readonly at: number;
      readonly type: Name;
      readonly assignments: readonly Assignment[];
    }
  | {
      readonly kind: 'update';
      readonly at: number;
      readonly type: Name;
      readonly assignments: readonly Assignment[];
      readonly where: QueryExpression;
    }
  | {
      readonly kind: 'delete';
      readonly at: number;
      readonly type: Name;
      readonly where: QueryExpression;
    };
