import { TrellisError } from '../../model/error.js';
import type { GateSettings } from '../gate-settings.js';

type ReviewSettings = Pick<GateSettings, 'target' | 'trust' | 'suspicious_text'>;

/** Graph databases have no branches to hold writes on. */
export function checkReviewSettings({ target, trust = [], suspicious_text }: ReviewSettings): void {
  const holding = trust.length > 0 ? 'gate.trust' : 'gate.suspicious_text: hold';
  if (target === undefined || (trust.length === 0 && suspicious_text !== 'hold')) return;
  throw new TrellisError('USAGE', `${holding} does not work together with gate.target.`, {
    hint: 'Held writes wait on a branch, and a graph database has none. Remove one of the two settings.',
  });
}
