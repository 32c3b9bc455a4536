import type { Literal, Name } from '../../language/literal.js';

/*
 * A schema as the grammar parses it. `at` is an offset into the source. Trees are frozen.
 */

export interface GraphSchemaAst {
  readonly declarations: readonly SchemaDeclaration[];
}

export type SchemaDeclaration = InterfaceDeclaration | NodeDeclaration | EdgeDeclaration;

export interface InterfaceDeclaration {
  readonly kind: 'interface';
  readonly name: Name;
  readonly members: readonly PropertyDeclaration[];
  readonly at: number;
}

export interface NodeDeclaration {
  readonly kind: 'node';
  readonly name: Name;
  readonly annotations: readonly SchemaAnnotation[];
  readonly implements: readonly Name[];
  readonly members: readonly DeclarationMember[];
  readonly at: number;
}

export interface EdgeDeclaration {
  readonly kind: 'edge';
  readonly name: Name;
  readonly from: Name;
  readonly to: Name;
  readonly cardinality: CardinalityClause | null;
  readonly annotations: readonly SchemaAnnotation[];
  readonly members: readonly DeclarationMember[];
  readonly at: number;
}

/** `@card(0..2)`, or `@card(1..)` without a maximum. */
export interface CardinalityClause {
  readonly kind: 'cardinality';
  readonly min: number;
  readonly max: number | null;
  readonly at: number;
}

export type DeclarationMember = PropertyDeclaration | ConstraintClause;

export interface PropertyDeclaration {
  readonly kind: 'property';
  readonly name: Name;
  readonly type: TypeExpression;
  readonly annotations: readonly SchemaAnnotation[];
}

/** A type as written: the name of a scalar may be unknown. */
export type TypeExpression = { readonly nullable: boolean; readonly at: number } & (
  | { readonly kind: 'scalar'; readonly name: Name }
  | { readonly kind: 'list'; readonly of: Name }
  | { readonly kind: 'enum'; readonly values: readonly Name[] }
  | { readonly kind: 'vector'; readonly dimension: number }
);

export interface ConstraintClause {
  readonly kind: 'constraint';
  readonly name: 'key' | 'unique' | 'index' | 'range' | 'check';
  readonly args: readonly ConstraintArgument[];
  readonly at: number;
}

export type ConstraintArgument = Literal | NameArgument | RangeExpression;

interface NameArgument {
  readonly kind: 'name';
  readonly text: string;
  readonly at: number;
}

/** `1..600`, `..100` or `1..`; the numbers as written. */
export interface RangeExpression {
  readonly kind: 'range';
  readonly min: string | null;
  readonly max: string | null;
  readonly at: number;
}

export interface SchemaAnnotation {
  readonly kind: 'annotation';
  readonly name: Name;
  readonly value: Literal | NameArgument | null;
  readonly named: readonly { readonly name: Name; readonly value: Literal }[];
  readonly at: number;
}
