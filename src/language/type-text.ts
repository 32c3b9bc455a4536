import type { ValueType } from '../model/value-type.js';
import { quoted } from './literal.js';

/** A type as both languages write it: `[String]?`. */
export function typeText(type: ValueType): string {
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
      return `enum(${type.values.map(enumValueText).join(', ')})`;
  }
}

/** A value of an enum: bare if it is a word, else in quotes. */
export function enumValueText(value: string): string {
  return /^\w[\w-]*$/.test(value) ? value : quoted(value);
}
