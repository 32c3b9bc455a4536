import type { Scalar, ValueType } from '../../../model/value-type.js';

/** JSON Schema 2020-12. */
type ValueJsonSchema = Readonly<Record<string, unknown>>;

const scalarSchemas: Readonly<Record<Scalar, ValueJsonSchema>> = {
  String: { type: 'string' },
  Blob: { type: 'string', contentEncoding: 'base64' },
  Bool: { type: 'boolean' },
  I32: { type: 'integer' },
  U32: { type: 'integer' },
  // JSON numbers are not exact beyond 2^53, so clients may send digits.
  I64: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?\\d+$' }] },
  U64: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?\\d+$' }] },
  F32: { type: 'number' },
  F64: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
};

export function valueJsonSchema(type: ValueType): ValueJsonSchema {
  const schema = nonNullSchema(type);
  return type.nullable ? nullableSchema(schema) : schema;
}

function nonNullSchema(type: ValueType): ValueJsonSchema {
  switch (type.kind) {
    case 'scalar':
      return scalarSchemas[type.scalar];
    case 'list':
      return { type: 'array', items: scalarSchemas[type.of] };
    case 'enum':
      return { type: 'string', enum: type.values };
    case 'vector':
      return {
        type: 'array',
        items: { type: 'number' },
        minItems: type.dimension,
        maxItems: type.dimension,
      };
  }
}

function nullableSchema({ type, anyOf, enum: values, ...rest }: ValueJsonSchema): ValueJsonSchema {
  if (Array.isArray(anyOf)) return { ...rest, anyOf: [...anyOf, { type: 'null' }] };
  return { type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...rest };
}
