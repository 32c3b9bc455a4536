// @ts-check

export const depths = [5, 10, 20];

/**
 * @typedef {object} Recall
 * @property {number[]} any The share of questions with a right answer among the first 5, 10, 20.
 * @property {number[]} fraction The mean share of the right answers that are among them.
 * @property {number} mrr The mean of one divided by the rank of the first right answer.
 */

/**
 * Judges what a search found.
 * @param {readonly { found: readonly string[], gold: readonly string[] }[]} answers Ids, best first.
 * @returns {Recall}
 */
export function recall(answers) {
  const any = depths.map(() => 0);
  const fraction = depths.map(() => 0);
  let mrr = 0;
  for (const { found, gold } of answers) {
    const right = new Set(gold);
    const first = found.findIndex((id) => right.has(id));
    if (first >= 0) mrr += 1 / (first + 1);
    for (const [index, depth] of depths.entries()) {
      const hits = found.slice(0, depth).filter((id) => right.has(id)).length;
      any[index] = (any[index] ?? 0) + (hits > 0 ? 1 : 0);
      fraction[index] = (fraction[index] ?? 0) + hits / right.size;
    }
  }
  const mean = (/** @type {number} */ sum) => sum / Math.max(1, answers.length);
  return { any: any.map(mean), fraction: fraction.map(mean), mrr: mean(mrr) };
}
