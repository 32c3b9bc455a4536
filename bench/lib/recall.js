// @ts-check
import { mean, meanInterval } from './statistics.js';

export const depths = [5, 10, 20];

/**
 * @typedef {object} Judgement What a search found for one question.
 * @property {number[]} any 1 if a right answer is among the first 5, 10, 20, else 0.
 * @property {number[]} fraction The share of the right answers that are among them.
 * @property {number} reciprocalRank One divided by the rank of the first right answer, or 0.
 *
 * @typedef {{ mean: number, low: number, high: number }} Estimate With its 95 % interval.
 * @typedef {{ any: Estimate[], fraction: Estimate[], mrr: Estimate }} Recall Over all questions.
 */

/**
 * @param {readonly string[]} found Ids, best first.
 * @param {readonly string[]} gold
 * @returns {Judgement}
 */
export function judge(found, gold) {
  const right = new Set(gold);
  const first = found.findIndex((id) => right.has(id));
  const hits = depths.map((depth) => new Set(found.slice(0, depth).filter((id) => right.has(id))).size);
  return {
    any: hits.map((count) => (count > 0 ? 1 : 0)),
    fraction: hits.map((count) => count / right.size),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}

/**
 * @param {readonly Judgement[]} judgements
 * @returns {Recall}
 */
export function recall(judgements) {
  const estimate = (/** @type {(judgement: Judgement) => number} */ pick) => {
    const values = judgements.map(pick);
    return { mean: mean(values), ...meanInterval(values) };
  };
  return {
    any: depths.map((_, at) => estimate(({ any }) => any[at] ?? 0)),
    fraction: depths.map((_, at) => estimate(({ fraction }) => fraction[at] ?? 0)),
    mrr: estimate(({ reciprocalRank }) => reciprocalRank),
  };
}
