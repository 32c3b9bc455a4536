import { TrellisError } from '../../model/error.js';
import type { GateSettings } from '../gate-settings.js';

/** Graph databases have no branches to hold writes on. */
export function checkReviewSettings({ target, trust = [] }: Pick<GateSettings, 'target' | 'trust'>): void {
  if (target === undefined || trust.length === 0) return;
  throw new TrellisError('USAGE', 'gate.trust does not work together with gate.target.', {
    hint: 'Held writes wait on a branch, and a graph database has none. Remove one of the two settings.',
  });
}
