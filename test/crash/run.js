// @ts-check
// The full figure: `npm run crash -- --rounds 1000`.
import { parseArgs } from 'node:util';
import { freshSeed } from '../../bench/lib/random.js';
import { crashRounds } from './rounds.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    store: { type: 'string', default: 'sqlite,jsonl' },
    seed: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed ?? freshSeed());
const kinds = /** @type {import('./rounds.js').Kind[]} */ (values.store.split(','));

await Promise.all(
  kinds.map(async (kind) => {
    try {
      const { killed, acknowledged } = await crashRounds({ kind, rounds, seed, progress: tick(kind) });
      console.log(
        `${kind}: ${killed} processes killed, ${acknowledged} writes acknowledged, 0 lost, 0 partial, 0 files unreadable`,
      );
    } catch (error) {
      console.error(/** @type {Error} */ (error).message);
      process.exitCode = 1;
    }
  }),
);
console.log(`seed ${seed}`);

/**
 * @param {string} kind
 * @returns {(outcome: import('./rounds.js').Outcome) => void}
 */
function tick(kind) {
  return (outcome) => {
    if (outcome.rounds % 50 === 0) process.stderr.write(`${kind}: ${outcome.rounds} rounds\n`);
  };
}
