import type { Scalar, ValueType } from '../../../model/value-type.js';

/** Which scalars hold every value of another, in the same form. */
const wider: ReadonlyMap<Scalar, readonly Scalar[]> = new Map([
  ['I32', ['I64', 'F64']],
  ['U32', ['U64', 'I64', 'F64']],
  ['F32', ['F64']],
]);

/** Whether every value of one type, but for null, is a value of the other, so that rows need not be looked at. */
export function holdsAllOf(before: ValueType, after: ValueType): boolean {
  switch (before.kind) {
    case 'scalar':
      return after.kind === 'scalar' && holdsScalar(before.scalar, after.scalar);
    case 'list':
      return after.kind === 'list' && holdsScalar(before.of, after.of);
    case 'vector':
      return after.kind === 'vector' && before.dimension === after.dimension;
    case 'enum':
      if (after.kind === 'enum') return before.values.every((value) => after.values.includes(value));
      return after.kind === 'scalar' && after.scalar === 'String';
  }
}

function holdsScalar(before: Scalar, after: Scalar): boolean {
  return before === after || (wider.get(before)?.includes(after) ?? false);
}
