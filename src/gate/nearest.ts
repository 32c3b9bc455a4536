import { folded, spellingTolerance } from '../store/text/spelling.js';
import { editDistance } from './similar.js';

/** The registered name that is spelt most like this one: but for case, spacing, punctuation, or a letter or two. */
export function nearest(name: string, registered: readonly string[]): string | undefined {
  const wanted = folded(name);
  if (wanted === '') return undefined;
  const distance = (candidate: string) =>
    folded(candidate) === wanted ? 0 : editDistance(wanted, folded(candidate), spellingTolerance(wanted));
  const [best] = registered
    .map((candidate) => ({ candidate, distance: distance(candidate) }))
    .filter((one) => Number.isFinite(one.distance))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}
