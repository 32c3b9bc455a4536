import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { freshSeed } from '../../bench/lib/random.js';
import { scratchFolder } from '../helpers/stores.js';
import { compareServers } from './compare.js';

// A run is repeated with the seed that its failure names: TRELLIS_TEST_SEED=… npx vitest run test/side-by-side
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
/** Set by `npm run side-by-side`. */
const calls = Number(process.env['TRELLIS_TEST_CALLS'] ?? 150);

test(
  `${calls} random calls to Trellis and to the reference memory server: the same answers and the same file (seed ${seed})`,
  async () => {
    const folder = await scratchFolder();
    try {
      const { failed, bytes } = await compareServers(folder, seed, calls);
      console.log(
        `side by side: seed ${seed}, ${calls} calls the same, ${failed} of them errors; the files have ${bytes} characters`,
      );
      expect(bytes).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  60_000 + 200 * calls,
);
