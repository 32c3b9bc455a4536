import type { ConflictPolicy } from '../gate-settings.js';
import type { ConfidenceConflict } from '../merge-properties.js';
import { RejectedError } from './rejected-error.js';

export function rejectConflicts(conflicts: readonly ConfidenceConflict[], policy: ConflictPolicy): void {
  if (policy !== 'reject' || conflicts.length === 0) return;
  throw new RejectedError(
    'CONFLICT_HIGHER_CONFIDENCE',
    `More certain values are stored for ${conflicts.map(({ property }) => property).join(', ')}.`,
    'Leave them out, or write from a source that is at least as reliable.',
    { conflicts: conflicts.map((conflict) => ({ ...conflict, kept: 'stored' })) },
  );
}
