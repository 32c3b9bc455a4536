import type { Json } from '../../model/json.js';
import type { ValueType } from '../../model/value-type.js';

/** What a graph may hold, as its `.pg` source says it, checked: pure data that a write or a query is held against. */
export interface GraphSchema {
  /** The text it was made from. */
  readonly source: string;
  readonly interfaces: ReadonlyMap<string, InterfaceType>;
  readonly nodes: ReadonlyMap<string, NodeType>;
  /** By lower-cased name, since edges are looked up whatever their case. */
  readonly edges: ReadonlyMap<string, EdgeType>;
}

export interface InterfaceType {
  readonly name: string;
  readonly properties: ReadonlyMap<string, Property>;
}

/** What types of nodes and of edges have in common. */
interface TypeBase {
  readonly name: string;
  /** In the order they were declared; of a node, those of its interfaces come first. */
  readonly properties: ReadonlyMap<string, Property>;
  /** The properties whose values make the identity; null if there are none. Of an edge, without `src` and `dst`. */
  readonly key: readonly string[] | null;
  /** Each list of properties is unique as a whole; of an edge it may name `src` and `dst`. */
  readonly unique: readonly (readonly string[])[];
  readonly index: readonly (readonly string[])[];
  readonly ranges: readonly RangeConstraint[];
  readonly checks: readonly PatternConstraint[];
  readonly description: string | null;
  readonly instruction: string | null;
  readonly renamedFrom: string | null;
  /** Annotations that mean nothing to us, kept as they were written. */
  readonly annotations: readonly Annotation[];
}

/** Edge names are case-insensitive. */
export function findEdgeType(schema: GraphSchema, name: string): EdgeType | undefined {
  return schema.edges.get(name.toLowerCase());
}

export interface NodeType extends TypeBase {
  readonly implements: readonly string[];
}

export interface EdgeType extends TypeBase {
  readonly from: string;
  readonly to: string;
  /** How many edges of this type each node of type `from` has. */
  readonly cardinality: { readonly min: number; readonly max: number | null };
}

export interface Property {
  readonly name: string;
  readonly type: ValueType;
  /** The value that existing rows get when a required property is added: `@default(…)`. */
  readonly default: Json | undefined;
  /** Of a vector: the String property it is made from by the embedder. */
  readonly embedFrom: string | null;
  readonly description: string | null;
  readonly instruction: string | null;
  readonly renamedFrom: string | null;
  readonly annotations: readonly Annotation[];
}

/** `@range(property, min..max)`, both ends included. A bound that no number of JavaScript holds exactly is a BigInt. */
export interface RangeConstraint {
  readonly property: string;
  readonly min: number | bigint | null;
  readonly max: number | bigint | null;
}

/** `@check(property, "pattern")`. */
export interface PatternConstraint {
  readonly property: string;
  readonly pattern: string;
}

export interface Annotation {
  readonly name: string;
  readonly value: Json | undefined;
  readonly named: Readonly<Record<string, Json>>;
}
