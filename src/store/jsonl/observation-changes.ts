import type { Observation } from '../../model/node.js';

/**
 * What to remove from, and then append to, a node's observations so that they read like `texts`: those in the same order as
 * before are kept; from the first new one on, all are added again.
 */
export function observationChanges(
  before: readonly Observation[],
  texts: readonly string[],
): { removed: Observation[]; added: string[] } {
  const kept = new Set<Observation>();
  let at = 0;
  let taken = 0;
  for (const text of texts) {
    while (at < before.length && before[at]?.text !== text) at += 1;
    const found = before[at];
    if (found === undefined) break;
    kept.add(found);
    at += 1;
    taken += 1;
  }
  return { removed: before.filter((observation) => !kept.has(observation)), added: texts.slice(taken) };
}
