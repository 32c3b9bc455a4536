// @ts-check
import { mean } from './statistics.js';

/**
 * @typedef {readonly number[]} Ranks Of the first right answer to each question; 0 if there is none.
 *
 * @typedef {object} JudgedSet The same questions, answered in different ways.
 * @property {string} name
 * @property {Ranks} baseline
 * @property {readonly Ranks[]} trials One for each choice of settings.
 */

const foldCount = 5;

/** @param {Ranks} ranks */
export const anyAtTen = (ranks) => mean(ranks.map((rank) => (rank > 0 && rank <= 10 ? 1 : 0)));
/** @param {Ranks} ranks */
export const meanReciprocalRank = (ranks) => mean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0)));

/**
 * What is gained over the baseline: the mean of any@10 and MRR.
 * @param {Ranks} ranks
 * @param {Ranks} baseline
 */
export function margin(ranks, baseline) {
  const value = (/** @type {Ranks} */ some) => (anyAtTen(some) + meanReciprocalRank(some)) / 2;
  return value(ranks) - value(baseline);
}

/**
 * Which settings are best over all sets at once. The worst set counts as much as all together, so that no set pays for
 * another.
 * @param {readonly JudgedSet[]} sets
 * @param {(question: number) => boolean} [uses]
 */
export function bestTrial(sets, uses = () => true) {
  const count = sets[0]?.trials.length ?? 0;
  const objectives = Array.from({ length: count }, (_, trial) => objective(sets, trial, uses));
  return objectives.indexOf(Math.max(...objectives));
}

/**
 * @param {readonly JudgedSet[]} sets
 * @param {number} trial
 * @param {(question: number) => boolean} [uses]
 */
export function objective(sets, trial, uses = () => true) {
  const some = (/** @type {Ranks} */ ranks) => ranks.filter((_, at) => uses(at));
  const margins = sets.map(({ baseline, trials }) => margin(some(trials[trial] ?? []), some(baseline)));
  return mean(margins) + Math.min(...margins);
}

/**
 * Chooses on four fifths of the questions of each set and judges on the rest, five times.
 * @param {readonly JudgedSet[]} sets
 * @returns {{ chosen: number[], margins: Map<string, number[]> }} The trial chosen for each fold, and what it gains there.
 */
export function crossValidate(sets) {
  /** @type {Map<string, number[]>} */
  const margins = new Map(sets.map(({ name }) => [name, []]));
  const chosen = Array.from({ length: foldCount }, (_, fold) => {
    const inFold = (/** @type {number} */ question) => question % foldCount === fold;
    const best = bestTrial(sets, (question) => !inFold(question));
    for (const { name, baseline, trials } of sets) {
      const held = (/** @type {Ranks} */ some) => some.filter((_, at) => inFold(at));
      margins.get(name)?.push(margin(held(trials[best] ?? []), held(baseline)));
    }
    return best;
  });
  return { chosen, margins };
}
