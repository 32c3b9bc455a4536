import type { Scalar, ValueType } from '../../model/value-type.js';

type Family = 'text' | 'number' | 'bool' | 'date' | 'datetime' | 'blob';

function familyOfScalar(scalar: Scalar): Family {
  switch (scalar) {
    case 'String':
      return 'text';
    case 'Bool':
      return 'bool';
    case 'Date':
      return 'date';
    case 'DateTime':
      return 'datetime';
    case 'Blob':
      return 'blob';
    default:
      return 'number';
  }
}

function familyOf(type: ValueType): Family | undefined {
  if (type.kind === 'enum') return 'text';
  return type.kind === 'scalar' ? familyOfScalar(type.scalar) : undefined;
}

/** Whether values of the two types can be equal: same family; for two enums, a common value. */
export function areComparable(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'enum' && b.kind === 'enum') return a.values.some((value) => b.values.includes(value));
  const family = familyOf(a);
  return family !== undefined && family === familyOf(b);
}

/** An enum has no declared order. */
export function isOrderedType(type: ValueType): boolean {
  const family = type.kind === 'enum' ? undefined : familyOf(type);
  return family === 'text' || family === 'number' || family === 'date' || family === 'datetime';
}

/** Sorting needs any order, so enums and booleans can be sorted. */
export function isSortableType(type: ValueType): boolean {
  return isOrderedType(type) || type.kind === 'enum' || isBoolType(type);
}

export function isNumericType(type: ValueType): boolean {
  return familyOf(type) === 'number';
}

export function isBoolType(type: ValueType): boolean {
  return familyOf(type) === 'bool';
}

export function isStringType(type: ValueType): boolean {
  return type.kind === 'scalar' && type.scalar === 'String';
}

export function itemType(type: ValueType): ValueType | undefined {
  return type.kind === 'list' ? { kind: 'scalar', scalar: type.of, nullable: false } : undefined;
}

const integerRanges: Readonly<Partial<Record<Scalar, readonly [number, number]>>> = {
  I32: [-(2 ** 31), 2 ** 31],
  U32: [0, 2 ** 32],
  I64: [-(2 ** 63), 2 ** 63],
  U64: [0, 2 ** 64],
};

/** Whether every value of one type may be stored as the other. A string is checked against an enum when it is written. */
export function isAssignable(from: ValueType, to: ValueType): boolean {
  if (from.nullable && !to.nullable) return false;
  if (from.kind === 'vector' || to.kind === 'vector')
    return from.kind === 'vector' && to.kind === 'vector' && from.dimension === to.dimension;
  if (from.kind === 'list' || to.kind === 'list')
    return from.kind === 'list' && to.kind === 'list' && isScalarAssignable(from.of, to.of);
  if (to.kind === 'enum') return familyOf(from) === 'text';
  return isScalarAssignable(from.kind === 'enum' ? 'String' : from.scalar, to.scalar);
}

function isScalarAssignable(from: Scalar, to: Scalar): boolean {
  if (from === to) return true;
  const given = integerRanges[from];
  const kept = integerRanges[to];
  if (given !== undefined && kept !== undefined) return given[0] >= kept[0] && given[1] <= kept[1];
  return familyOfScalar(from) === 'number' && (to === 'F64' || to === 'F32');
}
