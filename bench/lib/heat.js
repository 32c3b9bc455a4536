// @ts-check
import { operations } from './operations.js';
import { race } from './race.js';
import { median, quantile } from './statistics.js';

/**
 * @typedef {import('./figures.js').Figure} Figure
 * @typedef {import('./race.js').Contestant} Contestant
 */

/**
 * Every operation on every contestant.
 * @param {Figure['heat']} name
 * @param {readonly Contestant[]} contestants
 * @param {Parameters<typeof race>[2]} timing
 * @returns {Promise<Figure[]>}
 */
export async function heat(name, contestants, timing) {
  /** @type {Figure[]} */
  const results = [];
  for (const operation of operations) {
    for (const { contestant, times } of await race(contestants, operation, timing)) {
      results.push({
        heat: name,
        server: contestant.server,
        size: contestant.size,
        operation: operation.name,
        kind: operation.kind,
        calls: times.length,
        median: median(times),
        p95: quantile(times, 0.95),
      });
    }
  }
  return results;
}
