import { isStampField, stampFieldNames, stampFields } from '../../model/provenance.js';
import type { ValueType } from '../../model/value-type.js';
import type { EdgeType, GraphSchema, Property } from '../../schema/graph/graph-schema.js';
import type { PropertyOperand } from '../../store/row-query.js';

/** The types that a node may have; null: any, on a graph without a schema. */
export type NodeTypes = readonly string[] | null;

/** What an edge of a query means. */
export interface EdgeInfo {
  /** As the graph spells it. */
  readonly name: string;
  readonly from: NodeTypes;
  readonly to: NodeTypes;
  /** Null on a graph without a schema. */
  readonly type: EdgeType | null;
}

/** What a property of a variable means. */
export interface PropertyInfo {
  readonly place: PropertyOperand['place'];
  readonly type: ValueType | null;
  /** Whether a vector is made from a text. */
  readonly embedded: boolean;
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: false };
const texts: ValueType = { kind: 'list', of: 'String', nullable: false };

/** What every node has, whatever its type declares. */
const builtInNodeProperties: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['name', text],
  ['summary', { ...text, nullable: true }],
  ['tags', texts],
  ['observations', texts],
]);

/** What every edge has: the ids of its nodes. */
const builtInEdgeProperties: ReadonlyMap<string, ValueType> = new Map([
  ['from', text],
  ['to', text],
]);

/** The names that a query may use: those of a schema, or any at all on a graph without one. */
export class SchemaNames {
  readonly schema: GraphSchema | null;

  constructor(schema: GraphSchema | null) {
    this.schema = schema;
  }

  /** The types that a name stands for: an interface means all the types that implement it. */
  nodeTypes(name: string): NodeTypes | undefined {
    if (this.schema === null) return [name];
    if (this.schema.nodes.has(name)) return [name];
    if (!this.schema.interfaces.has(name)) return undefined;
    return [...this.schema.nodes.values()]
      .filter((type) => type.implements.includes(name))
      .map((type) => type.name);
  }

  /** The names of nodes and interfaces. */
  nodeTypeNames(): readonly string[] {
    return this.schema === null ? [] : [...this.schema.nodes.keys(), ...this.schema.interfaces.keys()];
  }

  /** An edge by its name, in any case; without a schema exactly as it is written. */
  edge(name: string): EdgeInfo | undefined {
    if (this.schema === null) return { name, from: null, to: null, type: null };
    const type = this.schema.edges.get(name.toLowerCase());
    if (type === undefined) return undefined;
    return {
      name: type.name,
      from: this.nodeTypes(type.from) ?? [],
      to: this.nodeTypes(type.to) ?? [],
      type,
    };
  }

  /** The names of edges as queries write them. */
  edgeNames(): readonly string[] {
    if (this.schema === null) return [];
    return [...this.schema.edges.values()].map(
      ({ name }) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    );
  }

  /** A property that nodes of all these types have, of one type. */
  nodeProperty(types: NodeTypes, name: string): PropertyInfo | undefined {
    const common = builtInNodeProperties.get(name);
    const inherent: PropertyInfo | undefined =
      common === undefined ? stampProperty(name) : { place: 'row', type: common, embedded: false };
    if (this.schema === null || types === null)
      return common === undefined ? untypedProperty(name) : inherent;
    const declared = types.map((type) => this.schema?.nodes.get(type)?.properties.get(name));
    if (declared.every((property) => property === undefined)) return inherent;
    const properties = declared.filter((property): property is Property => property !== undefined);
    const [first] = properties;
    if (first === undefined || properties.length < declared.length) return undefined;
    if (!properties.every((property) => sameType(property.type, first.type))) return undefined;
    const nullable = properties.some((property) => property.type.nullable);
    return {
      place: 'props',
      type: { ...first.type, nullable },
      embedded: properties.every((property) => property.embedFrom !== null),
    };
  }

  /** The names of the properties that nodes of these types have in common. */
  nodePropertyNames(types: NodeTypes): readonly string[] {
    const inherent = [...builtInNodeProperties.keys(), ...stampFieldNames];
    if (this.schema === null || types === null) return inherent;
    const declared = types.flatMap((type) => [...(this.schema?.nodes.get(type)?.properties.keys() ?? [])]);
    return [...new Set([...declared, ...inherent])].filter(
      (name) => this.nodeProperty(types, name) !== undefined,
    );
  }

  edgeProperty(edge: EdgeInfo, name: string): PropertyInfo | undefined {
    const end = builtInEdgeProperties.get(name);
    if (end !== undefined) return { place: 'row', type: end, embedded: false };
    if (edge.type === null) return untypedProperty(name);
    const property = edge.type.properties.get(name);
    return property === undefined
      ? stampProperty(name)
      : { place: 'props', type: property.type, embedded: false };
  }

  edgePropertyNames(edge: EdgeInfo): readonly string[] {
    const declared = edge.type?.properties.keys() ?? [];
    return [...new Set([...declared, ...builtInEdgeProperties.keys(), ...stampFieldNames])];
  }

  /** The properties that are left out where a whole node is returned: those that are no use to read. */
  hidden(types: NodeTypes): readonly string[] {
    const properties = (types ?? []).flatMap((type) => [
      ...(this.schema?.nodes.get(type)?.properties.values() ?? []),
    ]);
    return binaryProperties(properties);
  }

  hiddenOfEdge(edge: EdgeInfo): readonly string[] {
    return binaryProperties([...(edge.type?.properties.values() ?? [])]);
  }

  /** The fields of a stamp that are shown where a whole node is returned: those that no property takes the name of. */
  stamped(types: NodeTypes): readonly string[] {
    const declares = (type: string, name: string) => this.schema?.nodes.get(type)?.properties.has(name);
    return stampFieldNames.filter((name) => !(types ?? []).some((type) => declares(type, name)));
  }

  stampedOfEdge(edge: EdgeInfo): readonly string[] {
    return stampFieldNames.filter((name) => !edge.type?.properties.has(name));
  }
}

/** What a name means where no property of that name is declared. */
function stampProperty(name: string): PropertyInfo | undefined {
  return isStampField(name) ? { place: 'provenance', type: stampFields[name], embedded: false } : undefined;
}

/** What a name means without a schema: a property of any type, behind the stamp if that has such a field. */
function untypedProperty(name: string): PropertyInfo {
  return { place: isStampField(name) ? 'provenance' : 'props', type: null, embedded: false };
}

function binaryProperties(properties: readonly Property[]): readonly string[] {
  const names = properties
    .filter(({ type }) => type.kind === 'vector' || (type.kind !== 'enum' && scalarOf(type) === 'Blob'))
    .map(({ name }) => name);
  return [...new Set(names)];
}

function scalarOf(type: Exclude<ValueType, { kind: 'vector' | 'enum' }>): string {
  return type.kind === 'list' ? type.of : type.scalar;
}

/** Whether two types hold the same values, but for null. */
function sameType(a: ValueType, b: ValueType): boolean {
  return JSON.stringify({ ...a, nullable: false }) === JSON.stringify({ ...b, nullable: false });
}

/** The types that are in both; null means any. */
export function intersectTypes(a: NodeTypes, b: NodeTypes): NodeTypes {
  if (a === null) return b;
  return b === null ? a : a.filter((type) => b.includes(type));
}

/** Types as a message says them: `Person or Company`. */
export function describeNodeTypes(types: NodeTypes): string {
  if (types === null) return 'any type';
  return types.length === 0 ? 'no type' : types.join(' or ');
}
