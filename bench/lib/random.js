// @ts-check

/**
 * Repeatable randomness: the same seed gives the same numbers.
 * @typedef {object} Random
 * @property {() => number} next From 0 up to 1.
 * @property {(bound: number) => number} below A whole number from 0 up to the bound.
 * @property {<T>(items: readonly T[]) => T} pick One of a list that is not empty.
 * @property {<T>(items: readonly T[]) => T[]} shuffle
 */

const modulus = 2_147_483_647;

/**
 * @param {number} seed
 * @returns {Random}
 */
export function randomFrom(seed) {
  let state = (Math.abs(Math.trunc(seed)) % (modulus - 1)) + 1;
  const next = () => {
    // The Lehmer generator; the product stays below 2^53.
    state = (state * 48_271) % modulus;
    return (state - 1) / (modulus - 1);
  };
  // Neighbouring seeds start close together.
  for (let i = 0; i < 4; i++) next();
  /** @param {number} bound */
  const below = (bound) => Math.floor(next() * bound);
  return {
    next,
    below,
    pick: (items) => /** @type {any} */ (items[below(items.length)]),
    shuffle: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}

/** A seed to start from when none was given. */
export const freshSeed = () => Math.floor(Math.random() * modulus);
