import type { ValueType } from '../model/value-type.js';
import { quoteString } from './literal.js';

/** As both languages write it: `[String]?`. */
export function formatValueType(type: ValueType): string {
  return `${formatPlainType(type)}${type.nullable ? '?' : ''}`;
}

function formatPlainType(type: ValueType): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'list':
      return `[${type.of}]`;
    case 'vector':
      return `Vector(${type.dimension})`;
    case 'enum':
      return `enum(${type.values.map(formatEnumValue).join(', ')})`;
  }
}

/** Bare if it is a word, else quoted. */
export function formatEnumValue(value: string): string {
  return /^\w[\w-]*$/.test(value) ? value : quoteString(value);
}
