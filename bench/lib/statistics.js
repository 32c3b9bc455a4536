// @ts-check
import { randomFrom } from './random.js';

/**
 * The value that the given share of the samples does not exceed.
 * @param {readonly number[]} samples
 * @param {number} share
 */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** @param {readonly number[]} samples */
export const median = (samples) => quantile(samples, 0.5);

/** @param {readonly number[]} samples */
export const mean = (samples) => samples.reduce((sum, value) => sum + value, 0) / Math.max(1, samples.length);

/**
 * Where the mean lies in 95 of 100 cases, by drawing as many samples again with replacement (bootstrap).
 * The same samples always give the same interval.
 * @param {readonly number[]} samples
 */
export function meanInterval(samples, { rounds = 1_000, seed = 1 } = {}) {
  const random = randomFrom(seed);
  const means = Array.from({ length: rounds }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < samples.length; drawn++) sum += samples[random.below(samples.length)] ?? 0;
    return sum / Math.max(1, samples.length);
  });
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
