// @ts-check
import { table, times } from './table.js';

/**
 * A promised bound and what was measured against it.
 * @typedef {object} Target
 * @property {string} what
 * @property {number} measured
 * @property {number} [atMost]
 * @property {number} [atLeast]
 * @property {(value: number) => string} [format] How the figures are shown; a ratio unless told.
 */

/** @param {Target} target */
export const isMet = ({ measured, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) =>
  measured <= atMost && measured >= atLeast;

/** @param {readonly Target[]} targets */
export function targetTable(targets) {
  return table(
    ['target', 'measured', 'wanted', 'met'],
    targets.map((target) => {
      const format = target.format ?? times;
      const bound =
        target.atMost === undefined ? `≥ ${format(target.atLeast ?? 0)}` : `≤ ${format(target.atMost)}`;
      return [target.what, format(target.measured), bound, isMet(target) ? 'yes' : 'NO'];
    }),
  );
}
