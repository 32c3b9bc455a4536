import type { ValueType } from '../model/value-type.js';

/** A type as both languages write it: `[String]?`. */
export function valueTypeText(type: ValueType): string {
  return `${plainText(type)}${type.nullable ? '?' : ''}`;
}

function plainText(type: ValueType): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'list':
      return `[${type.of}]`;
    case 'vector':
      return `Vector(${type.dimension})`;
    case 'enum':
      return `enum(${type.values.join(', ')})`;
  }
}
