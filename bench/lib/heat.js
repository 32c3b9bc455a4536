// @ts-check
import { operations } from './operations.js';
import { race } from './race.js';
import { settle } from './settle.js';
import { median, quantile } from './statistics.js';

/**
 * @typedef {import('./figures.js').Figure} Figure
 * @typedef {import('./race.js').Contestant} Contestant
 * @typedef {Parameters<typeof race>[2] & { starts?: number }} Timing
 */

/**
 * Every operation on every contestant. Where they are started more than once, all their calls count together.
 * @param {Figure['heat']} name
 * @param {Timing} timing
 * @param {() => Promise<readonly Contestant[]>} start
 * @returns {Promise<Figure[]>}
 */
export async function heat(name, { starts = 1, ...timing }, start) {
  /** @type {Map<string, { figure: Omit<Figure, 'calls' | 'median' | 'p95'>, times: number[] }>} */
  const lanes = new Map();
  for (let round = 0; round < starts; round++) {
    const contestants = await start();
    await settle();
    for (const operation of operations) {
      for (const { contestant, times } of await race(contestants, operation, timing)) {
        const { server, size } = contestant;
        const key = `${operation.name} ${server} ${size}`;
        const lane = lanes.get(key) ?? {
          figure: { heat: name, server, size, operation: operation.name, kind: operation.kind },
          times: [],
        };
        lane.times.push(...times);
        lanes.set(key, lane);
      }
    }
    await Promise.all(contestants.map(({ client }) => client.stop()));
  }
  return [...lanes.values()].map(({ figure, times }) => ({
    ...figure,
    calls: times.length,
    median: median(times),
    p95: quantile(times, 0.95),
  }));
}
