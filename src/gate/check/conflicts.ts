import type { Conflict } from '../merge-properties.js';
import type { ConflictPolicy } from '../settings.js';
import { Rejected } from './reject.js';

/** Under the policy `reject`, nothing replaces what is more certain. */
export function conflictsAllowed(conflicts: readonly Conflict[], policy: ConflictPolicy): void {
  if (policy !== 'reject' || conflicts.length === 0) return;
  throw new Rejected(
    'CONFLICT_HIGHER_CONFIDENCE',
    `More certain values are stored for ${conflicts.map(({ property }) => property).join(', ')}.`,
    'Leave them out, or write from a source that is at least as reliable.',
    { conflicts: conflicts.map((conflict) => ({ ...conflict, kept: 'stored' })) },
  );
}
