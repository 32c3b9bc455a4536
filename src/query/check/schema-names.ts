import { isStampField, stampFieldNames, stampFields } from '../../model/provenance.js';
import type { ValueType } from '../../model/value-type.js';
import type { EdgeType, GraphSchema, Property } from '../../schema/graph/graph-schema.js';
import type { PropertyOperand } from '../../store/row-query.js';

/** Null: any type, on a graph without a schema. */
export type NodeTypes = readonly string[] | null;

export interface EdgeInfo {
  /** As the schema spells it. */
  readonly name: string;
  readonly from: NodeTypes;
  readonly to: NodeTypes;
  readonly type: EdgeType | null;
}

/** How texts become the vectors of a property: a query's text must become one in the same way. */
export interface TextEmbedding {
  /** Null: the configured one. Several types may name several. */
  readonly models: readonly (string | null)[];
}

export interface PropertyInfo {
  readonly place: PropertyOperand['place'];
  readonly type: ValueType | null;
  /** Null if no embedder makes it. */
  readonly embedding: TextEmbedding | null;
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: false };
const texts: ValueType = { kind: 'list', of: 'String', nullable: false };

/** What every node has. */
const builtInNodeProperties: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['name', text],
  ['summary', { ...text, nullable: true }],
  ['tags', texts],
  ['observations', texts],
]);

/** The ids of its nodes. */
const builtInEdgeProperties: ReadonlyMap<string, ValueType> = new Map([
  ['from', text],
  ['to', text],
]);

/** The names that a query may use; without a schema, any. */
export class SchemaNames {
  readonly schema: GraphSchema | null;

  constructor(schema: GraphSchema | null) {
    this.schema = schema;
  }

  /** An interface means all types that implement it. */
  nodeTypes(name: string): NodeTypes | undefined {
    if (this.schema === null) return [name];
    if (this.schema.nodes.has(name)) return [name];
    if (!this.schema.interfaces.has(name)) return undefined;
    return [...this.schema.nodes.values()]
      .filter((type) => type.implements.includes(name))
      .map((type) => type.name);
  }

  nodeTypeNames(): readonly string[] {
    return this.schema === null ? [] : [...this.schema.nodes.keys(), ...this.schema.interfaces.keys()];
  }

  /** Case-insensitive with a schema, exact without. */
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

  edgeNames(): readonly string[] {
    if (this.schema === null) return [];
    return [...this.schema.edges.values()].map(
      ({ name }) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    );
  }

  /** A property that all these types have with the same type. */
  nodeProperty(types: NodeTypes, name: string): PropertyInfo | undefined {
    const common = builtInNodeProperties.get(name);
    const inherent: PropertyInfo | undefined =
      common === undefined ? stampProperty(name) : { place: 'row', type: common, embedding: null };
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
      embedding: properties.every((property) => property.embedFrom !== null)
        ? { models: [...new Set(properties.map((property) => property.embedModel))] }
        : null,
    };
  }

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
    if (end !== undefined) return { place: 'row', type: end, embedding: null };
    if (edge.type === null) return untypedProperty(name);
    const property = edge.type.properties.get(name);
    return property === undefined
      ? stampProperty(name)
      : { place: 'props', type: property.type, embedding: null };
  }

  edgePropertyNames(edge: EdgeInfo): readonly string[] {
    const declared = edge.type?.properties.keys() ?? [];
    return [...new Set([...declared, ...builtInEdgeProperties.keys(), ...stampFieldNames])];
  }

  /** Properties that are left out of whole nodes: blobs and vectors. */
  hidden(types: NodeTypes): readonly string[] {
    const properties = (types ?? []).flatMap((type) => [
      ...(this.schema?.nodes.get(type)?.properties.values() ?? []),
    ]);
    return binaryProperties(properties);
  }

  hiddenOfEdge(edge: EdgeInfo): readonly string[] {
    return binaryProperties([...(edge.type?.properties.values() ?? [])]);
  }

  /** Stamp fields that whole nodes show: those that share no name with a property. */
  stamped(types: NodeTypes): readonly string[] {
    const declares = (type: string, name: string) => this.schema?.nodes.get(type)?.properties.has(name);
    return stampFieldNames.filter((name) => !(types ?? []).some((type) => declares(type, name)));
  }

  stampedOfEdge(edge: EdgeInfo): readonly string[] {
    return stampFieldNames.filter((name) => !edge.type?.properties.has(name));
  }
}

function stampProperty(name: string): PropertyInfo | undefined {
  return isStampField(name) ? { place: 'provenance', type: stampFields[name], embedding: null } : undefined;
}

/** Without a schema: a property of any type, or a stamp field. */
function untypedProperty(name: string): PropertyInfo {
  return { place: isStampField(name) ? 'provenance' : 'props', type: null, embedding: null };
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

function sameType(a: ValueType, b: ValueType): boolean {
  return JSON.stringify({ ...a, nullable: false }) === JSON.stringify({ ...b, nullable: false });
}

export function intersectTypes(a: NodeTypes, b: NodeTypes): NodeTypes {
  if (a === null) return b;
  return b === null ? a : a.filter((type) => b.includes(type));
}

/** For messages: `Person or Company`. */
export function describeNodeTypes(types: NodeTypes): string {
  if (types === null) return 'any type';
  return types.length === 0 ? 'no type' : types.join(' or ');
}
