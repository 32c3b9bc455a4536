import { registryType } from '../../model/registry-node.js';
import type { Scalar, ValueType } from '../../model/value-type.js';
import type { EdgeType, GraphSchema, NodeType } from '../../schema/graph/graph-schema.js';
import { isReserved, protectedFields } from '../gate-names.js';
import type { SchemaDocument } from './schema-document.js';
import type { PropertyType } from './schema-registry.js';

/** The types of a `.pg` schema as labels and relationships of the gate. What the gate cannot say, the write is held against. */
export function graphSchemaToDocument({ nodes, edges }: GraphSchema): SchemaDocument {
  const names = new Set(nodes.keys());
  return {
    nodes: [...nodes.values()]
      // The gate keeps schemas of its own under this label, and lets nothing else in.
      .filter(({ name }) => name !== registryType)
      .map((type) => ({
        label: type.name,
        // A label that is in use again means itself.
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
  // The gate computes some fields itself, and takes them from nobody.
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
  // These may be strings of digits, for which the gate has no word.
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
