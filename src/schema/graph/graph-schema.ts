import type { Json } from '../../model/json.js';
import type { ValueType } from '../../model/value-type.js';

/** A checked `.pg` schema: which types, properties and constraints a graph may hold. */
export interface GraphSchema {
  readonly source: string;
  readonly interfaces: ReadonlyMap<string, InterfaceType>;
  readonly nodes: ReadonlyMap<string, NodeType>;
  /** By lower-cased name: edge names are case-insensitive. */
  readonly edges: ReadonlyMap<string, EdgeType>;
}

export interface InterfaceType {
  readonly name: string;
  readonly properties: ReadonlyMap<string, Property>;
}

interface TypeBase {
  readonly name: string;
  /** In declaration order; a node's interfaces come first. */
  readonly properties: ReadonlyMap<string, Property>;
  /** The properties that identify a row; null if there are none. An edge's key leaves out `src` and `dst`. */
  readonly key: readonly string[] | null;
  /** Each list is unique as a whole; an edge's list may name `src` and `dst`. */
  readonly unique: readonly (readonly string[])[];
  readonly index: readonly (readonly string[])[];
  readonly ranges: readonly RangeConstraint[];
  readonly checks: readonly PatternConstraint[];
  readonly description: string | null;
  readonly instruction: string | null;
  readonly renamedFrom: string | null;
  /** Annotations without a meaning here, kept as written. */
  readonly annotations: readonly Annotation[];
}

export function findEdgeType(schema: GraphSchema, name: string): EdgeType | undefined {
  return schema.edges.get(name.toLowerCase());
}

export interface NodeType extends TypeBase {
  readonly implements: readonly string[];
}

export interface EdgeType extends TypeBase {
  readonly from: string;
  readonly to: string;
  /** How many edges of this type each node of type `from` may have. */
  readonly cardinality: { readonly min: number; readonly max: number | null };
}

export interface Property {
  readonly name: string;
  readonly type: ValueType;
  /** The value that existing rows get when a required property is added: `@default(…)`. */
  readonly default: Json | undefined;
  /** For a vector: the String property from which the embedder fills it. */
  readonly embedFrom: string | null;
  /** The model that embeds it; null: the configured one. */
  readonly embedModel: string | null;
  readonly description: string | null;
  readonly instruction: string | null;
  readonly renamedFrom: string | null;
  readonly annotations: readonly Annotation[];
}

/** `@range(property, min..max)`, both ends included. A bound that a JavaScript number cannot hold exactly is a BigInt. */
export interface RangeConstraint {
  readonly property: string;
  readonly min: number | bigint | null;
  readonly max: number | bigint | null;
}

export interface PatternConstraint {
  readonly property: string;
  readonly pattern: string;
}

export interface Annotation {
  readonly name: string;
  readonly value: Json | undefined;
  readonly named: Readonly<Record<string, Json>>;
}
