import type { Scalar, ValueType } from '../../../model/value-type.js';

/** Which scalars hold every value of another, in the same form. */
const widerScalars: ReadonlyMap<Scalar, readonly Scalar[]> = new Map([
  ['I32', ['I64', 'F64']],
  ['U32', ['U64', 'I64', 'F64']],
  ['F32', ['F64']],
]);

/** Whether every value of one type, but for null, is a value of the other, so that rows need not be looked at. */
export function isWidening(before: ValueType, after: ValueType): boolean {
  switch (before.kind) {
    case 'scalar':
      return after.kind === 'scalar' && isScalarWidening(before.scalar, after.scalar);
    case 'list':
      return after.kind === 'list' && isScalarWidening(before.of, after.of);
    case 'vector':
      return after.kind === 'vector' && before.dimension === after.dimension;
    case 'enum':
      if (after.kind === 'enum') return before.values.every((value) => after.values.includes(value));
      return after.kind === 'scalar' && after.scalar === 'String';
  }
}

function isScalarWidening(before: Scalar, after: Scalar): boolean {
  return before === after || (widerScalars.get(before)?.includes(after) ?? false);
}
