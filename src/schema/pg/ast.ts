import type { Literal, Name } from '../../language/literal.js';

/*
 * A schema as it was written: what the grammar makes. Every part says where it stands, as an offset into the text. The
 * trees are frozen.
 */

export interface SchemaTree {
  readonly declarations: readonly Declaration[];
}

export type Declaration = InterfaceTree | NodeTree | EdgeTree;

export interface InterfaceTree {
  readonly kind: 'interface';
  readonly name: Name;
  readonly members: readonly PropertyTree[];
  readonly at: number;
}

export interface NodeTree {
  readonly kind: 'node';
  readonly name: Name;
  readonly annotations: readonly AnnotationTree[];
  readonly implements: readonly Name[];
  readonly members: readonly Member[];
  readonly at: number;
}

export interface EdgeTree {
  readonly kind: 'edge';
  readonly name: Name;
  readonly from: Name;
  readonly to: Name;
  readonly cardinality: CardinalityTree | null;
  readonly annotations: readonly AnnotationTree[];
  readonly members: readonly Member[];
  readonly at: number;
}

/** `@card(0..2)`, or `@card(1..)` without a maximum. */
export interface CardinalityTree {
  readonly kind: 'cardinality';
  readonly min: number;
  readonly max: number | null;
  readonly at: number;
}

export type Member = PropertyTree | ConstraintTree;

export interface PropertyTree {
  readonly kind: 'property';
  readonly name: Name;
  readonly type: TypeTree;
  readonly annotations: readonly AnnotationTree[];
}

/** A type as it was written: the name of a scalar may be no scalar at all. */
export type TypeTree = { readonly nullable: boolean; readonly at: number } & (
  | { readonly kind: 'scalar'; readonly name: Name }
  | { readonly kind: 'list'; readonly of: Name }
  | { readonly kind: 'enum'; readonly values: readonly Name[] }
  | { readonly kind: 'vector'; readonly dimension: number }
);

export interface ConstraintTree {
  readonly kind: 'constraint';
  readonly name: 'key' | 'unique' | 'index' | 'range' | 'check';
  readonly args: readonly Argument[];
  readonly at: number;
}

export type Argument = Literal | Word | RangeTree;

/** A bare name where a value could stand. */
export interface Word {
  readonly kind: 'name';
  readonly text: string;
  readonly at: number;
}

/** `1..600`, `..100` or `1..`; the numbers as they were written. */
export interface RangeTree {
  readonly kind: 'range';
  readonly min: string | null;
  readonly max: string | null;
  readonly at: number;
}

export interface AnnotationTree {
  readonly kind: 'annotation';
  readonly name: Name;
  readonly value: Literal | Word | null;
  readonly named: readonly { readonly name: Name; readonly value: Literal }[];
  readonly at: number;
}
