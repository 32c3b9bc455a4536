import type { Json } from '../../../model/json.js';
import type { RangeConstraint } from '../graph-schema.js';

/** Why a canonical value lies outside a range, as the rest of a sentence; undefined if it does not. */
export function rangeProblem({ min, max }: RangeConstraint, value: Json): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // Digits that are no number of JavaScript are compared as they are: comparing with a BigInt is exact.
  const number = typeof value === 'string' ? BigInt(value) : value;
  const isWithin = (min === null || number >= min) && (max === null || number <= max);
  return isWithin ? undefined : `must lie in ${min ?? ''}..${max ?? ''}, but is ${value}`;
}
