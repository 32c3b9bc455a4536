import { registryType } from '../../model/registry-node.js';
import type { Scalar, ValueType } from '../../model/value-type.js';
import type { EdgeType, GraphSchema, NodeType } from '../../schema/graph/graph-schema.js';
import { isReserved, protectedFields } from '../gate-names.js';
import type { PropertyType, SchemaDocument } from './schema-registry.js';

/**
 * The types of a graph schema as labels and relationships. Rules the gate cannot express are checked by the write
 * itself.
 */
export function graphSchemaToDocument({ nodes, edges }: GraphSchema): SchemaDocument {
  const names = new Set(nodes.keys());
  return {
    nodes: [...nodes.values()]
      // The gate reserves this label for its registry.
      .filter(({ name }) => name !== registryType)
      .map((type) => ({
        label: type.name,
        // A renamed label that is in use again means itself.
        remaps_from: type.renamedFrom === null || names.has(type.renamedFrom) ? [] : [type.renamedFrom],
        ...propertiesOf(type),
      })),
    relationships: [...edges.values()].map((type) => ({
      type: type.name,
      from_labels: [type.from],
      to_labels: [type.to],
      ...propertiesOf(type),
    })),
  };
}

function propertiesOf({ properties }: NodeType | EdgeType) {
  // The gate sets these itself.
  const given = [...properties.values()].filter(
    ({ name }) => !protectedFields.has(name) && !isReserved(name),
  );
  return {
    required_properties: given
      .filter(({ type, default: standard }) => !type.nullable && standard === undefined)
      .map(({ name }) => name),
    property_types: Object.fromEntries(
      given.flatMap(({ name, type }) => {
        const known = typeOf(type);
        return known === undefined ? [] : [[name, known]];
      }),
    ),
  };
}

const scalarTypes: Readonly<Record<Scalar, PropertyType | undefined>> = {
  String: 'string',
  Blob: 'string',
  Bool: 'boolean',
  I32: 'integer',
  U32: 'integer',
  // These may be strings of digits, which the gate has no type for.
  I64: undefined,
  U64: undefined,
  F32: 'float',
  F64: 'float',
  DateTime: 'datetime',
  Date: 'datetime',
};

function typeOf(type: ValueType): PropertyType | undefined {
  switch (type.kind) {
    case 'scalar':
      return scalarTypes[type.scalar];
    case 'enum':
      return 'string';
    case 'list':
    case 'vector':
      return 'list';
  }
}
