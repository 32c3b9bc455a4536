import type { ObjectJsonSchema } from '../model/json.js';
import type { Scalar, ValueType } from '../model/value-type.js';
import { valueJsonSchema } from '../schema/graph/values/value-json-schema.js';
import type { CheckedQuery } from './check/checked-query.js';

export type ParameterKind =
  | 'string'
  | 'bool'
  | 'int'
  | 'bigint'
  | 'float'
  | 'date'
  | 'datetime'
  | 'blob'
  | 'vector'
  | 'list';

export interface ParameterDescriptor {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly nullable: boolean;
  readonly item_kind?: ParameterKind;
  readonly vector_dim?: number;
}

const kinds: Readonly<Record<Scalar, ParameterKind>> = {
  String: 'string',
  Blob: 'blob',
  Bool: 'bool',
  I32: 'int',
  U32: 'int',
  I64: 'bigint',
  U64: 'bigint',
  F32: 'float',
  F64: 'float',
  DateTime: 'datetime',
  Date: 'date',
};

export function parameterDescriptors({ parameters }: CheckedQuery): readonly ParameterDescriptor[] {
  return [...parameters].map(([name, type]) => ({ name, ...kindOf(type), nullable: type.nullable }));
}

function kindOf(type: ValueType): Pick<ParameterDescriptor, 'kind' | 'item_kind' | 'vector_dim'> {
  switch (type.kind) {
    case 'scalar':
      return { kind: kinds[type.scalar] };
    case 'enum':
      return { kind: 'string' };
    case 'list':
      return { kind: 'list', item_kind: kinds[type.of] };
    case 'vector':
      return { kind: 'vector', vector_dim: type.dimension };
  }
}

/** The JSON Schema of a query's parameters; those that cannot be null are required. */
export function parameterSchema({ parameters }: CheckedQuery): ObjectJsonSchema {
  const required = [...parameters].filter(([, type]) => !type.nullable).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...parameters].map(([name, type]) => [name, valueJsonSchema(type)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

export function isMutation({ body }: CheckedQuery): boolean {
  return body.kind === 'mutation';
}
