import { describe, expect, test } from 'vitest';
import { freshSeed } from '../../bench/lib/random.js';
import { times } from '../helpers/full.js';
import { crashRounds } from './rounds.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/crash
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const rounds = times(6, 50);

describe.concurrent('a server killed while it writes', () => {
  test.each(['sqlite', 'jsonl'] as const)(
    'loses no acknowledged write, keeps no partial one, and opens again: %s',
    async (kind) => {
      const outcome = await crashRounds({ kind, rounds, seed });
      expect(outcome.killed).toBe(rounds);
      expect(outcome.acknowledged).toBeGreaterThan(0);
    },
  );
});
