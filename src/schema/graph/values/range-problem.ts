import type { Json } from '../../../model/json.js';
import type { RangeConstraint } from '../graph-schema.js';

/** Why a canonical value is outside a range, as the rest of a sentence. */
export function rangeProblem({ min, max }: RangeConstraint, value: Json): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // Digits that a JavaScript number cannot hold are compared exactly, as a BigInt.
  const number = typeof value === 'string' ? BigInt(value) : value;
  const isWithin = (min === null || number >= min) && (max === null || number <= max);
  return isWithin ? undefined : `must be in ${min ?? ''}..${max ?? ''}, but is ${value}`;
}
