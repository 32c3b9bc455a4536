import { TrellisError } from '../../../model/error.js';
import type { DerivedProperty, TouchedItems } from '../../../store/read-results.js';
import type { Reader } from '../../../store/reader.js';
import type { Sides } from './conflict.js';
import { ConflictResolver, resolutionMatches } from './conflict-resolver.js';
import { threeWayMerge } from './three-way-merge.js';

/**
 * An unused resolution is a mistake that silence would hide. But one decision can make another needless, so anything
 * that would be a conflict if all were decided for one side may be named as well.
 */
export async function rejectUnusedResolutions(
  judge: ConflictResolver,
  states: Sides<Reader>,
  touched: TouchedItems,
  derived: readonly DerivedProperty[] = [],
): Promise<void> {
  let { unusedResolutions } = judge;
  for (const side of ['target', 'source'] as const) {
    if (unusedResolutions.length === 0) return;
    const probe = new ConflictResolver([], side);
    await threeWayMerge(states, touched, probe, { derived });
    unusedResolutions = unusedResolutions.filter(
      (one) => !probe.resolvedByDefault.some((conflict) => resolutionMatches(one, conflict)),
    );
  }
  const [first] = unusedResolutions;
  if (first === undefined) return;
  const { id, property } = first;
  throw new TrellisError(
    'INVALID_ARGUMENT',
    `There is no conflict about ${id}${property === undefined ? '' : `, property ${property}`}.`,
    {
      hint: 'Leave this resolution out, or copy id and property from the list of conflicts.',
      details: { resolution: first, conflicts: judge.unresolved },
    },
  );
}
